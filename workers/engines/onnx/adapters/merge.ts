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
  const { rank, scale } = layout;
  for (const { rows, columns, offset, rowStride, leftOffset, rightOffset } of layout.matrices) {
    const update = new Float64Array(columns);
    for (let row = 0; row < rows; row++) {
      update.fill(0);
      for (let k = 0; k < rank; k++) {
        const left = adaptersQ[leftOffset + row * rank + k] ?? 0;
        const right = rightOffset + k * columns;
        for (let column = 0; column < columns; column++)
          update[column] = (update[column] ?? 0) + left * (adaptersQ[right + column] ?? 0);
      }
      const start = offset + row * rowStride;
      for (let column = 0; column < columns; column++)
        mergedP[start + column] = (baseP[start + column] ?? 0) + scale * (update[column] ?? 0);
    }
  }
}
