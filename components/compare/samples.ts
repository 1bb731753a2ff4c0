import type { TrajectorySummary } from '@/contract/run-events';
import { formatDifference, formatRate } from '@/contract/format';
import { compareRates, type SuccessCount } from '@/components/ui/compare-rates';
import { wilson } from '@/stats/wilson';

export function countSuccesses(samples: readonly Pick<TrajectorySummary, 'success'>[]): SuccessCount {
  return { successes: samples.filter((sample) => sample.success).length, n: samples.length };
}

/** `7/8 87.5 [52.9, 97.8]`: samples of one task that succeeded, Wilson 95 % interval in percent. */
export function rateWords({ successes, n }: SuccessCount): string {
  return n === 0 ? 'no samples' : formatRate(successes, n, wilson(successes, n));
}

/** What the samples of both sides say of this one task, and no more. */
export function samplesSentence(a: SuccessCount, b: SuccessCount): string {
  const comparison = compareRates(b, a);
  switch (comparison.kind) {
    case 'missing':
      return 'One side has no samples, so nothing is compared.';
    case 'small':
      return `n = ${comparison.n}, not compared.`;
    case 'compared': {
      const difference = `B less A ${formatDifference(comparison.interval)}, 95% Newcombe`;
      return comparison.relation === 'undecided'
        ? `Not distinguishable: ${difference}.`
        : `${difference}, on this task; other tasks may differ.`;
    }
  }
}
