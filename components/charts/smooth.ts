/**
 * Exponential moving average with the start's bias removed: s_t = w s_(t-1) + (1 - w) x_t, shown as
 * s_t / (1 - w^t) with t counted over the values seen. `weight` in [0, 1); 0 leaves the values as they are.
 * A missing value stays missing and does not age the average.
 */
export function smooth(values: readonly (number | null)[], weight: number): (number | null)[] {
  if (weight === 0) return [...values];
  let sum = 0;
  let seen = 0;
  return values.map((value) => {
    if (value === null) return null;
    sum = weight * sum + (1 - weight) * value;
    seen += 1;
    return sum / (1 - weight ** seen);
  });
}
