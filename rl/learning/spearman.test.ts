import { describe, expect, it } from 'vitest';
import { spearman } from './spearman';

describe('rank correlation', () => {
  it('is 1 for any rising relation and -1 for any falling one', () => {
    expect(spearman([1, 2, 3, 4], [1, 10, 11, 1000])).toBeCloseTo(1, 12);
    expect(spearman([1, 2, 3, 4], [0, -1, -50, -51])).toBeCloseTo(-1, 12);
  });

  it('is 1 - 6 sum d^2 / (n (n^2 - 1)) without ties', () => {
    expect(spearman([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])).toBeCloseTo(1 - (6 * 4) / (5 * 24), 12);
  });

  it('gives ties the mean of their ranks', () => {
    // Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: covariance 4.5, squares 4.5 and 5.
    expect(spearman([0, 7, 7, 9], [1, 2, 3, 4])).toBeCloseTo(4.5 / Math.sqrt(4.5 * 5), 12);
  });

  it('is unknown where one side does not vary, and refuses what is not paired', () => {
    expect(spearman([1, 1, 1], [1, 2, 3])).toBeNaN();
    expect(spearman([], [])).toBeNaN();
    expect(() => spearman([1], [])).toThrow('1 values cannot be paired with 0');
  });
});
