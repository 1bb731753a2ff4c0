import { LOSS_FNS, LOSS_SETTINGS, type LossFn, type LossFnConfig } from '@/contract/engine';
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
  /** Losses whose gradient the server computes as the contract states it. */
  losses: readonly LossFn[];
  /** Settings of policy losses that the server knows. */
  lossSettings: readonly (keyof LossFnConfig)[];
  /** Whether weights and reference log-probabilities of policy losses are read, and entropies answered. */
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
  losses: ['cross_entropy', 'importance_sampling', 'ppo', 'cispo'],
  lossSettings: ['clipLowThreshold', 'clipHighThreshold'],
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
    losses: LOSS_FNS,
    lossSettings: ['clipLowThreshold', 'clipHighThreshold', 'dualClip', 'entropyCoef', 'klCoef'],
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
  'skyrl-train': {
    ...ON_GPUS,
    id: 'skyrl-train',
    losses: [...ON_GPUS.losses, 'gspo'],
    lossReduction: 'sum',
    weightsAreMask: true,
    loraRank: 0,
  },
};

/** Whether the server computes this loss with these settings. */
export function servesLoss(profile: TinkerProfile, lossFn: LossFn, config: LossFnConfig): boolean {
  const used = LOSS_SETTINGS[lossFn].filter((name) => (config[name] ?? 0) !== 0);
  return profile.losses.includes(lossFn) && used.every((name) => profile.lossSettings.includes(name));
}

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
