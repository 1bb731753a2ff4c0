import { AppError } from '@/contract/errors';
import { checkFinite } from './resampling';

/** What several seeds gave, in the unit of the values. */
export interface SeedSummary {
  n: number;
  mean: number;
  /** Null for one seed, whose spread is not known. */
  standardDeviation: number | null;
}

/**
 * Mean and sample standard deviation (divisor n - 1) of one figure per seed: the spread that another seed would show, not
 * the error of the mean. Throws without a value and on one that is not finite.
 */
export function summariseSeeds(values: readonly number[]): SeedSummary {
  const n = values.length;
  if (n === 0) throw new AppError('invalid_input', 'no seed to summarise');
  checkFinite('values', values);
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { n, mean, standardDeviation: n === 1 ? null : Math.sqrt(squares / (n - 1)) };
}
