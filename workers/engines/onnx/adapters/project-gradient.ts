import { BLOCK, type Factors, padded, widenFactors } from './factors';
import type { AdapterLayout } from './layout';

/**
 * The gradient of the adapters, [Q], from that of the merged weights, [P]. The chain rule through W = W0 + scale L R gives
 * dL = scale dW R^T and dR = scale L^T dW. Each matrix of the gradient is read once, a block of rows at a time; sums are
 * f64, which costs nothing here, since a number is one, and rounded to f32 at the end.
 */
export function projectGradient(
  layout: AdapterLayout,
  gradientP: Float32Array,
  adaptersQ: Float32Array,
): Float32Array {
  const { rank, scale, matrices } = layout;
  const gradientQ = new Float32Array(layout.size);
  for (const matrix of matrices) {
    const { rows, columns, offset, rowStride, leftOffset, rightOffset } = matrix;
    const factors = widenFactors(matrix, rank, adaptersQ);
    const sums = {
      left: new Float64Array(padded(rows) * factors.paddedRank),
      right: new Float64Array(factors.paddedRank * columns),
    };
    const block = Array.from({ length: BLOCK }, () => new Float64Array(columns));
    for (let row = 0; row < rows; row += BLOCK) {
      block.forEach((slopes, index) => {
        const start = offset + (row + index) * rowStride;
        if (row + index < rows) slopes.set(gradientP.subarray(start, start + columns));
        else slopes.fill(0);
      });
      projectRows(factors, block, row, sums);
    }
    for (let row = 0; row < rows; row++)
      for (let k = 0; k < rank; k++)
        gradientQ[leftOffset + row * rank + k] = scale * (sums.left[row * factors.paddedRank + k] ?? 0);
    for (let index = 0; index < rank * columns; index++)
      gradientQ[rightOffset + index] = scale * (sums.right[index] ?? 0);
  }
  return gradientQ;
}

/** Adds what a block of the gradient's rows, from `row` on, gives to dL and dR, both without the scale. */
function projectRows(
  { paddedRank, left, right }: Factors,
  block: readonly Float64Array[],
  row: number,
  sums: { left: Float64Array; right: Float64Array },
): void {
  const [slopes0, slopes1, slopes2, slopes3] = block;
  if (!slopes0 || !slopes1 || !slopes2 || !slopes3) return;
  const columns = slopes0.length;
  const rightSums = sums.right;
  for (let k = 0; k < paddedRank; k++) {
    const at = row * paddedRank + k;
    const left0 = left[at] ?? 0;
    const left1 = left[at + paddedRank] ?? 0;
    const left2 = left[at + 2 * paddedRank] ?? 0;
    const left3 = left[at + 3 * paddedRank] ?? 0;
    let sum0 = 0;
    let sum1 = 0;
    let sum2 = 0;
    let sum3 = 0;
    for (let column = 0, index = k * columns; column < columns; column++, index++) {
      const slope0 = slopes0[column] ?? 0;
      const slope1 = slopes1[column] ?? 0;
      const slope2 = slopes2[column] ?? 0;
      const slope3 = slopes3[column] ?? 0;
      const across = right[index] ?? 0;
      sum0 += slope0 * across;
      sum1 += slope1 * across;
      sum2 += slope2 * across;
      sum3 += slope3 * across;
      rightSums[index] =
        (rightSums[index] ?? 0) + left0 * slope0 + left1 * slope1 + left2 * slope2 + left3 * slope3;
    }
    sums.left[at] = sum0;
    sums.left[at + paddedRank] = sum1;
    sums.left[at + 2 * paddedRank] = sum2;
    sums.left[at + 3 * paddedRank] = sum3;
  }
}
