import type { SampledSequence } from '@/contract/engine';
import { AppError } from '@/contract/errors';

/** Prompt and reply ids of one call, with the sampler's log-probability of each reply token. */
export interface CallTokens {
  /** The turn's acting call, or one whose text is kept for later prompts. */
  call: 'action' | 'strategy' | 'memory';
  prompt: number[];
  reply: number[];
  logprobs: number[];
  /** A teacher's log-probability of each reply token; absent where none was asked. */
  teacherLogprobs?: number[];
  /** Prompt tokens computed for the call; absent where the engine does not say. */
  prefilledTokens?: number;
}

/** The call that was answered with `sampled`. */
export function callTokens(
  call: CallTokens['call'],
  prompt: number[],
  { tokens: reply, logprobs, prefilledTokens }: SampledSequence,
): CallTokens {
  return { call, prompt, reply, logprobs, ...(prefilledTokens !== undefined && { prefilledTokens }) };
}

/** Prompt tokens computed for all calls; null where the engine did not say it of every call. */
export function prefilledTokensOf(calls: readonly CallTokens[]): number | null {
  return calls.reduce<number | null>(
    (sum, { prefilledTokens = null }) =>
      sum === null || prefilledTokens === null ? null : sum + prefilledTokens,
    0,
  );
}

/** What a fork goes on from: the calls made before turn `turn` was played. Throws where the episode has no such turn. */
export function callsBefore(
  { given, calls }: { given: readonly CallTokens[]; calls: readonly CallTokens[] },
  turn: number,
): CallTokens[] {
  const all = [...given, ...calls];
  const turns = all.flatMap(({ call }, index) => (call === 'action' ? index : []));
  const end = turns[turn];
  if (end === undefined)
    throw new AppError(
      'invalid_input',
      `turn is ${turn}, the episode has the turns 0 to ${turns.length - 1}`,
    );
  return all.slice(0, end);
}
