import { AppError } from '@/contract/errors';

/** How one kind of server differs from the others; see docs/engines.md for the sources of each difference. */
export interface TinkerProfile {
  id: ProfileId;
  /**
   * `sum`: over all tokens of all data, what the contract's losses mean. `sequence-mean`: over a sequence's `weights`,
   * then over all data since the last optimizer step.
   */
  lossReduction: 'sum' | 'sequence-mean';
  /** Whether `weights` of a policy loss mark the tokens that count, 0 or 1; without them every token would. */
  weightsAreMask: boolean;
  /** Whether entropy and KL terms, their tensors and entropies in the answer are known. */
  computesEntropyAndKl: boolean;
  /** Whether replies can be masked to a list. */
  masksReplies: boolean;
  /** Whether requests that belong together are computed together. */
  batchesSamples: boolean;
  /** Fewest tokens that must be sampled to be told the log-probabilities of a prompt. */
  scoringTokens: 0 | 1;
  /** Bits of a seed; longer ones are cut. */
  seedBits: 31 | 53;
  /** Batches that a run plays side by side, where the server does not say. */
  lanes: number;
  /** Rank of the adapters a model is trained with, 0 = all parameters, where the worker's settings name none. */
  loraRank: number;
}

export const PROFILE_IDS = ['stepscope', 'tinker', 'skyrl-jax', 'skyrl-train'] as const;
export type ProfileId = (typeof PROFILE_IDS)[number];

/** Servers on GPUs batch by themselves whatever arrives, so the more episodes go on by themselves the better. */
const ON_GPUS = {
  computesEntropyAndKl: false,
  masksReplies: false,
  batchesSamples: false,
  scoringTokens: 1,
  seedBits: 31,
  lanes: 64,
} as const;

export const PROFILES: Record<ProfileId, TinkerProfile> = {
  stepscope: {
    id: 'stepscope',
    lossReduction: 'sum',
    weightsAreMask: false,
    computesEntropyAndKl: true,
    masksReplies: true,
    batchesSamples: true,
    scoringTokens: 0,
    seedBits: 53,
    lanes: 1,
    loraRank: 0,
  },
  tinker: { ...ON_GPUS, id: 'tinker', lossReduction: 'sum', weightsAreMask: false, loraRank: 32 },
  'skyrl-jax': {
    ...ON_GPUS,
    id: 'skyrl-jax',
    lossReduction: 'sequence-mean',
    weightsAreMask: true,
    loraRank: 32,
  },
  'skyrl-train': { ...ON_GPUS, id: 'skyrl-train', lossReduction: 'sum', weightsAreMask: true, loraRank: 0 },
};

const HOSTED = /(^|\.)thinkingmachines\.(dev|ai)$/;

/**
 * The profile of the server at `address`: the one asked for, or where that is `auto` what the server is known by. A wrong
 * guess would scale losses wrongly without a word, so a server that is not known is refused.
 */
export function chooseProfile(
  asked: ProfileId | 'auto',
  { address, server }: { address: string; server: string | undefined },
): TinkerProfile {
  if (asked !== 'auto') return PROFILES[asked];
  if (server === 'stepscope') return PROFILES.stepscope;
  if (HOSTED.test(new URL(address).hostname)) return PROFILES.tinker;
  throw new AppError(
    'invalid_input',
    `${address} does not say what kind of server it is: set STEPSCOPE_TINKER_PROFILE to one of ${PROFILE_IDS.join(', ')}`,
  );
}
