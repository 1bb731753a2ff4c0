import { describe, expect, it } from 'vitest';
import { aggregateLoss, microBatchTokenWeights, tokenWeights, type Aggregation } from './aggregation';

const LOSSES = [
  [1, 2, 3],
  [4, 9, 9],
];
const MASK = [
  [1, 1, 1],
  [1, 0, 0],
];
const ALL: Aggregation[] = [
  'token-mean',
  'seq-mean-token-sum',
  'seq-mean-token-mean',
  'seq-mean-token-sum-norm',
];

const lossOf = (aggregation: Aggregation, mask = MASK) =>
  aggregateLoss(LOSSES, tokenWeights(mask, aggregation));

describe('aggregation of token losses', () => {
  it('averages over tokens, or over sequences of sums or means, or divides by the longest row', () => {
    expect(lossOf('token-mean')).toBeCloseTo(10 / 4, 12);
    expect(lossOf('seq-mean-token-sum')).toBeCloseTo((6 + 4) / 2, 12);
    expect(lossOf('seq-mean-token-mean')).toBeCloseTo((2 + 4) / 2, 7);
    expect(lossOf('seq-mean-token-sum-norm')).toBeCloseTo(10 / 3, 12);
  });

  it.each(ALL)('weighs nothing that is masked with %s', (aggregation) => {
    const [, second = []] = tokenWeights(MASK, aggregation);
    expect(second.slice(1)).toEqual([0, 0]);
    const poisoned = [
      [1, 2, 3],
      [4, NaN, Infinity],
    ];
    expect(aggregateLoss(poisoned, tokenWeights(MASK, aggregation))).toBe(lossOf(aggregation));
  });

  it('leaves sequences without tokens out of its means', () => {
    const mask = [
      [1, 1, 1],
      [0, 0, 0],
    ];
    expect(lossOf('seq-mean-token-sum', mask)).toBe(6);
    expect(lossOf('seq-mean-token-mean', mask)).toBeCloseTo(2, 7);
  });

  it('has no mean of nothing', () => {
    const nothing = [
      [0, 0, 0],
      [0, 0, 0],
    ];
    expect(ALL.map((aggregation) => lossOf(aggregation, nothing))).toEqual([NaN, NaN, NaN, 0]);
  });

  it('divides by the counts of the whole update, times the batches side by side', () => {
    const loss = (aggregation: Aggregation, settings: object) =>
      aggregateLoss(LOSSES, tokenWeights(MASK, aggregation, settings));
    expect(loss('token-mean', { tokens: 20, parallel: 2 })).toBeCloseTo(1, 12);
    expect(loss('seq-mean-token-sum', { sequences: 5, parallel: 2 })).toBeCloseTo(4, 12);
    expect(loss('seq-mean-token-sum-norm', { scaleFactor: 100 })).toBeCloseTo(0.1, 12);
  });
});

describe('aggregation by micro batches', () => {
  it('is the mean of their means over tokens', () => {
    expect(aggregateLoss(LOSSES, microBatchTokenWeights(MASK, 2))).toBeCloseTo(10 / 4, 12);
    expect(aggregateLoss(LOSSES, microBatchTokenWeights(MASK, 1))).toBeCloseTo((2 + 4) / 2, 12);
  });

  it('refuses a size that leaves a rest', () => {
    expect(() => microBatchTokenWeights(MASK, 3)).toThrow('micro batches of 3 rows do not divide 2 rows');
  });
});
