import { AppError } from '@/contract/errors';
import { normalUpperTail } from './normal';
import { wilson, Z_95 } from './wilson';

/** `k` successes in `n` independent trials. */
export interface Proportion {
  k: number;
  n: number;
}

/** A difference of two fractions with the bounds of its interval, all within [-1, 1]. */
export interface Difference {
  difference: number;
  low: number;
  high: number;
}

/**
 * Interval of `a - b` for two independent proportions, from their Wilson bounds (Newcombe 1998, Statistics in
 * Medicine 17:873-890, method 10: hybrid score, no continuity correction). The 95 % interval unless another quantile
 * `z` is given. Both sides need a trial. Of two policies on the same tasks it is wider than a paired interval wherever
 * their outcomes agree more often than by chance.
 */
export function newcombe(a: Proportion, b: Proportion, z: number = Z_95): Difference {
  for (const { n } of [a, b])
    if (n === 0) throw new AppError('invalid_input', 'n is 0; a difference needs trials on both sides');
  const boundsA = wilson(a.k, a.n, z);
  const boundsB = wilson(b.k, b.n, z);
  const fractionA = a.k / a.n;
  const fractionB = b.k / b.n;
  const difference = fractionA - fractionB;
  return {
    difference,
    low: difference - Math.hypot(fractionA - boundsA.low, boundsB.high - fractionB),
    high: difference + Math.hypot(boundsA.high - fractionA, fractionB - boundsB.low),
  };
}

/** Beyond it the tail is smaller than the smallest number. */
const GREATEST_Z = 40;

/**
 * Two-sided p-value that belongs to `newcombe`: the level at which its interval just touches 0, so that it is below 5 %
 * where the 95 % interval lacks 0. By bisection on the quantile, since the interval widens with it; 1 without a difference.
 */
export function newcombePValue(a: Proportion, b: Proportion): number {
  const { difference } = newcombe(a, b);
  if (difference === 0) return 1;
  let low = 0;
  let high = GREATEST_Z;
  for (;;) {
    const z = (low + high) / 2;
    if (z <= low || z >= high) return 2 * normalUpperTail(z);
    const interval = newcombe(a, b, z);
    if (interval.low > 0 || interval.high < 0) low = z;
    else high = z;
  }
}
