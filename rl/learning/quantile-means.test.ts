import { describe, expect, it } from 'vitest';
import { meansByQuantile } from './quantile-means';

describe('means by quantile', () => {
  it('part a sample by its keys into parts of one size', () => {
    const lengths = [50, 10, 40, 20, 30, 60];
    const scores = [5, 1, 4, 2, 3, 6];
    expect(meansByQuantile(lengths, scores, 3)).toEqual([
      { n: 2, low: 10, high: 20, mean: 1.5 },
      { n: 2, low: 30, high: 40, mean: 3.5 },
      { n: 2, low: 50, high: 60, mean: 5.5 },
    ]);
  });

  it('hold every value once where the size does not divide, and no empty part', () => {
    expect(meansByQuantile([1, 2, 3, 4, 5, 6, 7], [1, 1, 1, 1, 1, 1, 1]).map(({ n }) => n)).toEqual([
      1, 2, 1, 2, 1,
    ]);
    expect(meansByQuantile([1, 2], [3, 4])).toEqual([
      { n: 1, low: 1, high: 1, mean: 3 },
      { n: 1, low: 2, high: 2, mean: 4 },
    ]);
    expect(meansByQuantile([], [])).toEqual([]);
  });

  it('refuse what is not paired', () => {
    expect(() => meansByQuantile([1], [])).toThrow('1 keys cannot be paired with 0 values');
  });
});
