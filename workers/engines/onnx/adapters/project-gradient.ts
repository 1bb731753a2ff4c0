import type { AdapterLayout } from './layout';

/**
 * The gradient of the adapters, [Q], from that of the merged weights, [P]. The chain rule through W = W0 + scale L R gives
 * dL = scale dW R^T and dR = scale L^T dW. Each matrix of the gradient is read once, row by row; sums are f64, which costs
 * nothing here, since a number is one, and rounded to f32 at the end.
 */
export function projectGradient(
  layout: AdapterLayout,
  gradientP: Float32Array,
  adaptersQ: Float32Array,
): Float32Array {
  const { rank, scale } = layout;
  const gradientQ = new Float32Array(layout.size);
  for (const { rows, columns, offset, rowStride, leftOffset, rightOffset } of layout.matrices) {
    const rightSums = new Float64Array(rank * columns);
    for (let row = 0; row < rows; row++) {
      const start = offset + row * rowStride;
      for (let k = 0; k < rank; k++) {
        const left = adaptersQ[leftOffset + row * rank + k] ?? 0;
        const right = rightOffset + k * columns;
        let leftSum = 0;
        for (let column = 0; column < columns; column++) {
          const slope = gradientP[start + column] ?? 0;
          leftSum += slope * (adaptersQ[right + column] ?? 0);
          const index = k * columns + column;
          rightSums[index] = (rightSums[index] ?? 0) + left * slope;
        }
        gradientQ[leftOffset + row * rank + k] = scale * leftSum;
      }
    }
    for (let index = 0; index < rightSums.length; index++)
      gradientQ[rightOffset + index] = scale * (rightSums[index] ?? 0);
  }
  return gradientQ;
}
