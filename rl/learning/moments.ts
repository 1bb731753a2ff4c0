export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** NaN of nothing. */
export function meanOf(values: readonly number[]): number {
  return sumOf(values) / values.length;
}

/** What a standard deviation divides by: `sample` n - 1, `population` n. */
export type Deviation = 'sample' | 'population';

/** NaN for a `sample` of one. */
export function standardDeviation(values: readonly number[], deviation: Deviation): number {
  const mean = meanOf(values);
  const squares = sumOf(values.map((value) => (value - mean) * (value - mean)));
  return Math.sqrt(squares / (deviation === 'sample' ? values.length - 1 : values.length));
}
