/** What the losses' graphs take beside log-probabilities and entropies. Shapes: E targets, M positions, S sequences. */
import type { LossFn, LossFnConfig, PolicyLossFn } from '@/contract/engine';
import { withDefaults } from '../../loss-config';
import type { TokenTree, TreeTarget } from './token-tree';

export interface FeedArray {
  data: Int32Array | Float64Array;
  shape: number[];
}

/** The targets of a micro-batch, in the order of its graph. */
export interface BatchTargets {
  rows: readonly TokenTree[];
  /** The rows' targets one after another, [E]. */
  targets: readonly TreeTarget[];
  /** By row: index of its first target. */
  firstTarget: readonly number[];
  /** By target: index of its position. */
  positionOf: readonly number[];
  /** M. */
  positions: number;
}

/** The inputs that `crossEntropyLoss` or `policyLoss` declares for the loss, by name. */
export function lossFeeds(
  lossFn: LossFn,
  config: LossFnConfig,
  batch: BatchTargets,
): Record<string, FeedArray> {
  if (lossFn === 'cross_entropy') return { weights: perTarget(batch, ({ weight }) => weight) };
  const { entropyCoef, klCoef } = withDefaults(config);
  return {
    ...objectiveFeeds(lossFn, config, batch),
    oldLogprobs: perTarget(batch, ({ oldLogprob }) => oldLogprob ?? 0),
    referenceLogprobs: perTarget(batch, ({ referenceLogprob }) => referenceLogprob ?? 0),
    referenceWeights: perTarget(batch, ({ weight }) => klCoef * weight),
    entropyWeights: entropyWeights(batch, entropyCoef),
  };
}

function objectiveFeeds(
  lossFn: PolicyLossFn,
  config: LossFnConfig,
  batch: BatchTargets,
): Record<string, FeedArray> {
  const { clipLowThreshold, clipHighThreshold, dualClip } = withDefaults(config);
  const thresholds = {
    clipLowThreshold: scalar(clipLowThreshold),
    clipHighThreshold: scalar(clipHighThreshold),
  };
  const advantages = () =>
    perTarget(batch, ({ positiveAdvantage, negativeAdvantage }) => positiveAdvantage + negativeAdvantage);
  switch (lossFn) {
    case 'importance_sampling':
      return { advantages: advantages() };
    case 'cispo':
      return { ...thresholds, advantages: advantages() };
    case 'ppo':
      return {
        ...thresholds,
        dualClip: scalar(dualClip),
        positiveAdvantages: perTarget(batch, ({ positiveAdvantage }) => positiveAdvantage),
        negativeAdvantages: perTarget(batch, ({ negativeAdvantage }) => negativeAdvantage),
      };
    case 'gspo':
      return { ...thresholds, ...sequenceFeeds(batch) };
  }
}

/** [M]: a position's entropy counts with the weights of all its targets. */
function entropyWeights({ targets, positionOf, positions }: BatchTargets, entropyCoef: number): FeedArray {
  const weights = new Float64Array(positions);
  targets.forEach(({ weight }, index) => {
    const position = positionOf[index] ?? 0;
    weights[position] = (weights[position] ?? 0) + entropyCoef * weight;
  });
  return { data: weights, shape: [positions] };
}

/** [S, E] each: a sequence's share of each target's mean, and its advantages. */
function sequenceFeeds(batch: BatchTargets): Record<string, FeedArray> {
  const sequences = distinctSequences(batch);
  const targetCount = batch.targets.length;
  const grid = (value: (sequence: SequenceTargets, order: number) => number): FeedArray => {
    const data = new Float64Array(sequences.length * targetCount);
    sequences.forEach((sequence, line) =>
      sequence.targets.forEach((target, order) => {
        data[line * targetCount + target] = value(sequence, order);
      }),
    );
    return { data, shape: [sequences.length, targetCount] };
  };
  return {
    sequenceShares: grid(({ targets }) => 1 / targets.length),
    positiveAdvantages: grid(({ positiveAdvantages }, order) => positiveAdvantages[order] ?? 0),
    negativeAdvantages: grid(({ negativeAdvantages }, order) => negativeAdvantages[order] ?? 0),
  };
}

/** Sequences with the same targets: their ratio is one, and their advantages are summed by sign. */
interface SequenceTargets {
  /** Indices among the E targets, in the order of the sequence. */
  targets: number[];
  /** Aligned with `targets`. */
  positiveAdvantages: number[];
  negativeAdvantages: number[];
}

function distinctSequences({ rows, firstTarget }: BatchTargets): SequenceTargets[] {
  const distinct = new Map<string, SequenceTargets>();
  rows.forEach((row, index) => {
    const first = firstTarget[index] ?? 0;
    for (const readings of row.readingsBySequence()) {
      const targets = readings.map(({ target }) => first + target);
      const key = targets.join();
      const none = () => targets.map(() => 0);
      const sum = distinct.get(key) ?? { targets, positiveAdvantages: none(), negativeAdvantages: none() };
      distinct.set(key, sum);
      readings.forEach(({ advantage }, order) => {
        const signed = advantage > 0 ? sum.positiveAdvantages : sum.negativeAdvantages;
        signed[order] = (signed[order] ?? 0) + advantage;
      });
    }
  });
  return [...distinct.values()];
}

function perTarget({ targets }: BatchTargets, value: (target: TreeTarget) => number): FeedArray {
  return { data: Float64Array.from(targets, value), shape: [targets.length] };
}

function scalar(value: number): FeedArray {
  return { data: Float64Array.of(value), shape: [] };
}
