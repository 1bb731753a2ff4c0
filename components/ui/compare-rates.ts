import { newcombe, type Difference } from '@/stats/newcombe';
import { SMALL_SAMPLE } from './rate';

export interface SuccessCount {
  successes: number;
  n: number;
}

/** What two success rates allow to be said of their difference. */
export type RateComparison =
  | { kind: 'missing' }
  /** `n` = the smaller of the two. */
  | { kind: 'small'; n: number }
  /** `undecided` where the interval holds 0. */
  | { kind: 'compared'; relation: 'above' | 'below' | 'undecided'; interval: Difference };

/** `a` against `b` by Newcombe's 95 % interval; nothing is compared below `SMALL_SAMPLE` on either side. */
export function compareRates(
  a: SuccessCount | null | undefined,
  b: SuccessCount | null | undefined,
): RateComparison {
  if (!a?.n || !b?.n) return { kind: 'missing' };
  const n = Math.min(a.n, b.n);
  if (n < SMALL_SAMPLE) return { kind: 'small', n };
  const interval = newcombe({ k: a.successes, n: a.n }, { k: b.successes, n: b.n });
  const relation = interval.low > 0 ? 'above' : interval.high < 0 ? 'below' : 'undecided';
  return { kind: 'compared', relation, interval };
}
