import { indicesByGroup } from './grouping';

/** sum over k >= t of discount^(k - t) values[k], length of `values`. */
export function discountedFutureSums(values: readonly number[], discount: number): number[] {
  const sums = new Array<number>(values.length);
  let following = 0;
  for (let t = values.length - 1; t >= 0; t--) {
    following = (values[t] ?? NaN) + discount * following;
    sums[t] = following;
  }
  return sums;
}

/**
 * Return of each row, G_t = r_t + discount G_(t+1) within its trajectory, whose turns are its rows in the batch's order.
 * Source: GiGPO (arXiv 2505.10978) eq. 5, verl-agent `compute_step_discounted_returns`.
 */
export function discountedReturns(
  rewards: readonly number[],
  trajectoryIds: readonly (string | number)[],
  discount: number,
): number[] {
  const returns = new Array<number>(rewards.length);
  for (const rows of indicesByGroup(trajectoryIds).values()) {
    const sums = discountedFutureSums(
      rows.map((row) => rewards[row] ?? NaN),
      discount,
    );
    rows.forEach((row, t) => (returns[row] = sums[t] ?? NaN));
  }
  return returns;
}
