import { compareCounts, outcomeVerdict } from '@/stats/compare-outcomes';
import type { ComparisonVerdict } from '@/stats/comparison-verdict';
import type { Difference } from '@/stats/newcombe';

export interface SuccessCount {
  successes: number;
  n: number;
}

/** What two success rates allow to be said of their difference. */
export interface RateComparison {
  interval: Difference;
  verdict: ComparisonVerdict;
}

/** `a` against `b`, unpaired: Newcombe's 95 % interval and its verdict. Null where a side was not measured. */
export function compareRates(
  a: SuccessCount | null | undefined,
  b: SuccessCount | null | undefined,
): RateComparison | null {
  if (!a?.n || !b?.n) return null;
  const comparison = compareCounts({ k: b.successes, n: b.n }, { k: a.successes, n: a.n });
  return { interval: comparison.difference, verdict: outcomeVerdict(comparison) };
}
