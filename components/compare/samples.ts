import type { TrajectorySummary } from '@/contract/run-events';
import { formatRate } from '@/contract/format';
import { wilson } from '@/stats/wilson';

export interface SampleCount {
  successes: number;
  n: number;
}

export function countSuccesses(samples: readonly Pick<TrajectorySummary, 'success'>[]): SampleCount {
  return { successes: samples.filter((sample) => sample.success).length, n: samples.length };
}

/** `7/8 87.5 [52.9, 97.8]`: samples of one task that succeeded, Wilson 95 % interval in percent. */
export function rateWords({ successes, n }: SampleCount): string {
  return n === 0 ? 'no samples' : formatRate(successes, n, wilson(successes, n));
}

/**
 * What the samples of both sides say, and no more: overlapping intervals establish nothing, and disjoint ones speak
 * of this task alone.
 */
export function samplesSentence(a: SampleCount, b: SampleCount): string {
  if (a.n === 0 || b.n === 0) return 'One side has no samples, so nothing is compared.';
  const intervalA = wilson(a.successes, a.n);
  const intervalB = wilson(b.successes, b.n);
  const overlap = intervalA.low <= intervalB.high && intervalB.low <= intervalA.high;
  return overlap
    ? 'The intervals overlap: a difference is not established.'
    : 'The intervals do not overlap on this task; other tasks may differ.';
}
