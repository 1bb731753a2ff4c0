import { AppError } from '@/contract/errors';

/** One of several equally large parts of a sample, by the size of a key. */
export interface QuantileMean {
  n: number;
  /** Smallest and largest key of the part. */
  low: number;
  high: number;
  /** Mean of the part's values. */
  mean: number;
}

/**
 * Mean of `values` by quantile of `keys`, from the smallest keys to the largest: e.g. judge score by length quintile. Parts
 * differ by at most one in n, empty ones are left out; equal keys may fall on both sides of a bound, in the given order.
 */
export function meansByQuantile(
  keys: readonly number[],
  values: readonly number[],
  quantiles = 5,
): QuantileMean[] {
  if (keys.length !== values.length)
    throw new AppError('invalid_input', `${keys.length} keys cannot be paired with ${values.length} values`);
  const pairs = keys.map((key, i) => ({ key, value: values[i] ?? NaN })).sort((a, b) => a.key - b.key);
  return Array.from({ length: quantiles }, (_, part) =>
    pairs.slice(boundary(part), boundary(part + 1)),
  ).flatMap((part) => {
    const [first] = part;
    const last = part[part.length - 1];
    if (!first || !last) return [];
    const mean = part.reduce((sum, { value }) => sum + value, 0) / part.length;
    return [{ n: part.length, low: first.key, high: last.key, mean }];
  });

  function boundary(part: number): number {
    return Math.round((part * pairs.length) / quantiles);
  }
}
