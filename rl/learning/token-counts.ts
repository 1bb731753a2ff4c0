import type { SamplingClient, TokenCounts } from '@/contract/engine';
import type { Row } from './rows';

/** Tokens that samplers have counted since they were made, together; NaN where one of them does not say. */
export function totalCounts(samplers: readonly Pick<SamplingClient, 'counts'>[]): TokenCounts {
  return samplers
    .map((sampler) => sampler.counts())
    .reduce((sum, counts) => combine(sum, counts, 1), { prompt: 0, prefilled: 0, reused: 0, sampled: 0 });
}

/** Tokens counted between two readings of the same samplers. */
export function countsSince(before: TokenCounts, now: TokenCounts): TokenCounts {
  return combine(now, before, -1);
}

/** `counts + sign * other`. */
function combine(counts: TokenCounts, other: TokenCounts, sign: 1 | -1): TokenCounts {
  return {
    prompt: counts.prompt + sign * other.prompt,
    prefilled: counts.prefilled + sign * other.prefilled,
    reused: counts.reused + sign * other.reused,
    sampled: counts.sampled + sign * other.sampled,
  };
}

/**
 * Tokens of a trajectory's rows over all passes of an update: what a provider is sent, before an engine merges what rows
 * share. A row's last token is a target alone, as in a datum's `modelInput`.
 */
export function trainedTokensOf(rows: readonly Row[], passes: number): number {
  return passes * rows.reduce((sum, { prompt, reply }) => sum + prompt.length + reply.length - 1, 0);
}
