import type { AdaptedMatrix } from './layout';

/** Rows or ranks that a loop takes at once: loads and stores of what they share are a good part of a product's time. */
export const BLOCK = 4;

/** The factors of one adapter in f64, widened once instead of in every product, and padded with zeros to whole blocks. */
export interface Factors {
  paddedRank: number;
  /** L, [rows padded, paddedRank] */
  left: Float64Array;
  /** R, [paddedRank, columns] */
  right: Float64Array;
}

/** `count` up to the next whole block. */
export function padded(count: number): number {
  return Math.ceil(count / BLOCK) * BLOCK;
}

export function widenFactors(
  { rows, columns, leftOffset, rightOffset }: AdaptedMatrix,
  rank: number,
  adaptersQ: Float32Array,
): Factors {
  const paddedRank = padded(rank);
  const left = new Float64Array(padded(rows) * paddedRank);
  for (let row = 0; row < rows; row++) {
    const offset = leftOffset + row * rank;
    left.set(adaptersQ.subarray(offset, offset + rank), row * paddedRank);
  }
  const right = new Float64Array(paddedRank * columns);
  right.set(adaptersQ.subarray(rightOffset, rightOffset + rank * columns));
  return { paddedRank, left, right };
}
