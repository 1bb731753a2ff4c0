import { AppError } from '@/contract/errors';
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
