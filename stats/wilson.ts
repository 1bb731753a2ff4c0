import { AppError } from '@/contract/errors';

/** Two-sided 95 % quantile of the standard normal distribution. */
export const Z_95 = 1.959964;

/** Bounds of an interval of a fraction, both within [0, 1]. */
export interface Interval {
  low: number;
  high: number;
}

/**
 * Score interval of a binomial fraction: k successes in n independent trials (Wilson 1927, eq. 4; no continuity
 * correction). The 95 % interval unless another quantile `z` is given; without trials nothing is known: [0, 1].
 */
export function wilson(k: number, n: number, z: number = Z_95): Interval {
  checkProportion(k, n);
  if (!(z > 0)) throw new AppError('invalid_input', `z is ${z}; expected a positive quantile`);
  if (n === 0) return { low: 0, high: 1 };
  const fraction = k / n;
  const denominator = 1 + (z * z) / n;
  const centre = (fraction + (z * z) / (2 * n)) / denominator;
  const halfWidth = (z / denominator) * Math.sqrt((fraction * (1 - fraction)) / n + (z * z) / (4 * n * n));
  // At k = 0 and k = n the bound is exactly 0 or 1; rounding would leave it a few ulps off.
  return { low: k === 0 ? 0 : centre - halfWidth, high: k === n ? 1 : centre + halfWidth };
}

/** Throws where k of n is no count of successes in trials. */
export function checkProportion(k: number, n: number): void {
  if (!Number.isInteger(n) || n < 0)
    throw new AppError('invalid_input', `n is ${n}; expected a count, 0 or more`);
  if (!Number.isInteger(k) || k < 0 || k > n)
    throw new AppError('invalid_input', `k is ${k}; expected a count from 0 to n = ${n}`);
}
