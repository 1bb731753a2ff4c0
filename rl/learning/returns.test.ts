import { describe, expect, it } from 'vitest';
import { discountedFutureSums, discountedReturns } from './returns';

describe('discounted returns', () => {
  it('hold what follows, discounted once a turn', () => {
    expect(discountedFutureSums([1, 0, 4], 0.5)).toEqual([2, 2, 4]);
    expect(discountedFutureSums([1, 0, 4], 0)).toEqual([1, 0, 4]);
    expect(discountedFutureSums([], 0.5)).toEqual([]);
  });

  it('stay within a trajectory, wherever its rows stand', () => {
    expect(discountedReturns([1, 10, 4, 8], ['a', 'b', 'a', 'b'], 0.5)).toEqual([3, 14, 4, 8]);
  });
});
