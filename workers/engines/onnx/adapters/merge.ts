import { BLOCK, type Factors, widenFactors } from './factors';
import type { AdapterLayout } from './layout';

/**
 * Writes W = W0 + scale L R into `mergedP` for every matrix with an adapter; the rest of it is left as it is. A product is
 * summed in f64 and rounded to f32 once, with W0: the sum does not depend on its order by more than that, and adapters
 * whose B is zero give W0 to the last bit.
 */
export function mergeAdapters(
  layout: AdapterLayout,
  baseP: Float32Array,
  adaptersQ: Float32Array,
  mergedP: Float32Array,
): void {
  const { rank, scale, matrices } = layout;
  for (const matrix of matrices) {
    const { rows, columns, offset, rowStride } = matrix;
    const factors = widenFactors(matrix, rank, adaptersQ);
    const update = new Float64Array(columns);
    for (let row = 0; row < rows; row++) {
      productRow(factors, row, update);
      const start = offset + row * rowStride;
      for (let column = 0; column < columns; column++)
        mergedP[start + column] = (baseP[start + column] ?? 0) + scale * (update[column] ?? 0);
    }
  }
}

/** One row of L R. */
function productRow({ paddedRank, left, right }: Factors, row: number, sums: Float64Array): void {
  const columns = sums.length;
  sums.fill(0);
  for (let k = 0; k < paddedRank; k += BLOCK) {
    const at = row * paddedRank + k;
    const left0 = left[at] ?? 0;
    const left1 = left[at + 1] ?? 0;
    const left2 = left[at + 2] ?? 0;
    const left3 = left[at + 3] ?? 0;
    const right0 = k * columns;
    const right1 = right0 + columns;
    const right2 = right1 + columns;
    const right3 = right2 + columns;
    for (let column = 0; column < columns; column++)
      sums[column] =
        (sums[column] ?? 0) +
        left0 * (right[right0 + column] ?? 0) +
        left1 * (right[right1 + column] ?? 0) +
        left2 * (right[right2 + column] ?? 0) +
        left3 * (right[right3 + column] ?? 0);
  }
}
