import { describe, expect, it } from 'vitest';
import { smooth } from './smooth';

describe('smoothing', () => {
  it('leaves values as they are at weight 0', () => {
    expect(smooth([3, null, 5], 0)).toEqual([3, null, 5]);
  });

  it('follows the hand-computed average with the bias of the start removed', () => {
    // s1 = 0.5*4 = 2, shown 2/0.5 = 4; s2 = 0.5*2 + 0.5*8 = 5, shown 5/0.75.
    expect(smooth([4, 8], 0.5)).toEqual([4, 5 / 0.75]);
  });

  it('keeps a constant series constant whatever the weight', () => {
    for (const value of smooth([7, 7, null, 7, 7], 0.9)) if (value !== null) expect(value).toBeCloseTo(7, 12);
  });

  it('keeps gaps where they are', () => {
    expect(smooth([1, null, 2], 0.8)[1]).toBeNull();
  });
});
