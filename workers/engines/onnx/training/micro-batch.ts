/** From packed rows to the arrays the training graph takes. */
import type { LossFn, LossFnConfig } from '@/contract/engine';
import { type FeedArray, lossFeeds } from './loss-feeds';
import { rowLengthFor } from './packing';
import type { TokenTree, TreeTarget } from './token-tree';

/** Added to an attention score that must not count; its exponential is 0 in f32 and f64. */
const HIDDEN = -1e9;

/** Rows of one length that are computed at once. */
export interface MicroBatch {
  rowLength: number;
  rows: TokenTree[];
}

/** Groups rows of one length, in order, into micro-batches of at most `maxTokens` tokens with padding, and at least one row. */
export function microBatches(rows: readonly TokenTree[], maxTokens: number): MicroBatch[] {
  const open = new Map<number, MicroBatch>();
  const batches: MicroBatch[] = [];
  for (const row of rows) {
    const rowLength = rowLengthFor(row.size);
    let batch = open.get(rowLength);
    if (!batch || (batch.rows.length + 1) * rowLength > maxTokens) {
      batch = { rowLength, rows: [] };
      open.set(rowLength, batch);
      batches.push(batch);
    }
    batch.rows.push(row);
  }
  return batches;
}

/** The graph's inputs by name, parameters excepted; real numbers are f64 and rounded to the graph's precision by the caller. */
export interface MicroBatchFeeds {
  arrays: Record<string, FeedArray>;
  /** Additive attention mask [B, 1, T, T], f32 already: it is large and its two values need no more. */
  mask: { data: Float32Array; shape: number[] };
  /** By row: index of its first target among the E targets. */
  firstTarget: number[];
  /** By target: index of its token among the M positions. */
  positionOf: Int32Array;
}

/** Padding is token 0 that sees itself alone and has no target, so it reaches neither loss nor gradient. */
export function microBatchFeeds(
  batch: MicroBatch,
  lossFn: LossFn,
  config: LossFnConfig,
  vocabularySize: number,
): MicroBatchFeeds {
  const { rows, rowLength } = batch;
  const tokens = new Int32Array(rows.length * rowLength);
  const positions = new Int32Array(rows.length * rowLength);
  const predicted: number[] = [];
  const positionOf: number[] = [];
  const firstTarget: number[] = [];
  const targets: TreeTarget[] = [];
  rows.forEach((row, index) => {
    const offset = index * rowLength;
    tokens.set(row.tokens, offset);
    positions.set(row.depths, offset);
    firstTarget.push(targets.length);
    const predictedAt = new Map<number, number>();
    for (const target of row.targets) {
      const known = predictedAt.get(target.node);
      const position = known ?? predicted.push(offset + target.node) - 1;
      predictedAt.set(target.node, position);
      positionOf.push(position);
      targets.push(target);
    }
  });
  const flatTargets = targets.map(({ token }, index) => (positionOf[index] ?? 0) * vocabularySize + token);
  return {
    arrays: {
      tokens: { data: tokens, shape: [tokens.length] },
      positions: { data: positions, shape: [rows.length, rowLength] },
      predicted: { data: Int32Array.from(predicted), shape: [predicted.length] },
      targets: { data: Int32Array.from(flatTargets), shape: [targets.length] },
      ...lossFeeds(lossFn, config, { rows, targets, firstTarget, positionOf, positions: predicted.length }),
    },
    mask: { data: attentionMask(batch), shape: [rows.length, 1, rowLength, rowLength] },
    firstTarget,
    positionOf: Int32Array.from(positionOf),
  };
}

/** [B, T, T]: a token sees itself and what its parent sees. */
function attentionMask({ rows, rowLength }: MicroBatch): Float32Array {
  const mask = new Float32Array(rows.length * rowLength * rowLength).fill(HIDDEN);
  rows.forEach((row, index) => {
    const start = index * rowLength * rowLength;
    for (let node = 0; node < rowLength; node++) {
      const line = start + node * rowLength;
      const parent = row.parents[node] ?? -1;
      if (parent >= 0) mask.copyWithin(line, start + parent * rowLength, start + (parent + 1) * rowLength);
      mask[line + node] = 0;
    }
  });
  return mask;
}
