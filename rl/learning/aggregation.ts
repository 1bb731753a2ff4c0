/**
 * How the token losses of an update become one number. Each mode is linear in the losses, so that it is a weight for each
 * token: the loss is the weighted sum, and its gradient the weighted gradients. Source of the modes: verl `agg_loss`.
 */
import { AppError } from '@/contract/errors';
import { sumOf } from './moments';

/** verl's names. */
export type Aggregation =
  /** Every token weighs alike. */
  | 'token-mean'
  /** Every sequence weighs alike, and its tokens' losses are summed: long ones count for more. */
  | 'seq-mean-token-sum'
  /** Every sequence weighs alike, its tokens averaged. */
  | 'seq-mean-token-mean'
  /** The sum of all over a constant (Dr. GRPO, arXiv 2503.20783): neither length nor count of sequences matters. */
  | 'seq-mean-token-sum-norm';

/** What the mean is over where a batch is one of several that make an update. */
export interface AggregationSettings {
  /** Tokens of the whole update, for `token-mean`; default those of the batch. */
  tokens?: number;
  /** Sequences of the whole update, for the two `seq-mean` modes; default those of the batch that have a token. */
  sequences?: number;
  /** Batches computed side by side, whose gradients are averaged: the weights are times this. Default 1. */
  parallel?: number;
  /** The constant of `seq-mean-token-sum-norm`; default the length of the longest row, padding included. */
  scaleFactor?: number;
}

/** verl adds it to a sequence's token count. */
const COUNT_EPSILON = 1e-8;

/**
 * Weight of each token's loss, shape of `maskBT`; 0 where the mask is 0. A sequence without tokens counts in no mean. Where
 * no token is left at all there is no mean: NaN, but for `seq-mean-token-sum-norm`.
 */
export function tokenWeights(
  maskBT: readonly (readonly number[])[],
  aggregation: Aggregation,
  settings: AggregationSettings = {},
): number[][] {
  const counts = maskBT.map(sumOf);
  const tokens = settings.tokens ?? sumOf(counts);
  const sequences = settings.sequences ?? counts.filter((count) => count > 0).length;
  const parallel = settings.parallel ?? 1;
  const scaleFactor = settings.scaleFactor ?? Math.max(0, ...maskBT.map((mask) => mask.length));
  const shareOf = (count: number): number => {
    switch (aggregation) {
      case 'token-mean':
        return parallel / tokens;
      case 'seq-mean-token-sum':
        return parallel / sequences;
      case 'seq-mean-token-mean':
        return parallel / sequences / (count + COUNT_EPSILON);
      case 'seq-mean-token-sum-norm':
        return 1 / scaleFactor;
    }
  };
  return maskBT.map((mask, row) => {
    const share = shareOf(counts[row] ?? NaN);
    return mask.map((weight) => weight * share);
  });
}

/**
 * Weights of AgentGym-RL's update: the masked mean of each micro batch of `rows` rows in turn, and the mean of these. With
 * one row a micro batch it is `seq-mean-token-mean`. A micro batch without tokens gives NaN, as there. Throws where `rows`
 * does not divide the batch.
 */
export function microBatchTokenWeights(maskBT: readonly (readonly number[])[], rows: number): number[][] {
  const microBatches = maskBT.length / rows;
  if (!Number.isInteger(microBatches))
    throw new AppError('invalid_input', `micro batches of ${rows} rows do not divide ${maskBT.length} rows`);
  return Array.from({ length: microBatches }, (_, index) =>
    tokenWeights(maskBT.slice(index * rows, (index + 1) * rows), 'token-mean'),
  ).flatMap((weightsBT) => weightsBT.map((weights) => weights.map((weight) => weight / microBatches)));
}

/** The loss: the weighted sum of token losses. A token of weight 0 has no part, whatever its loss. */
export function aggregateLoss(
  lossesBT: readonly (readonly number[])[],
  weightsBT: readonly (readonly number[])[],
): number {
  let sum = 0;
  weightsBT.forEach((weights, row) =>
    weights.forEach((weight, t) => {
      if (weight !== 0) sum += weight * (lossesBT[row]?.[t] ?? NaN);
    }),
  );
  return sum;
}
