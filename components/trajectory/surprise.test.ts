import { describe, expect, it } from 'vitest';
import { meanSurprise, surpriseBin } from './surprise';

describe('surprise of tokens', () => {
  it('puts a token into the bin whose lower bound it reaches', () => {
    expect([0, -0.049, -0.05, -0.3, -0.5, -1.2, -2.39, -2.4, -40].map(surpriseBin)).toEqual([
      0, 0, 1, 2, 3, 4, 5, 6, 6,
    ]);
  });

  it('shades a token of probability zero most and one that was not sampled not at all', () => {
    expect(surpriseBin(-Infinity)).toBe(6);
    expect(surpriseBin(null)).toBe(0);
  });

  it('averages over sampled tokens and is missing without any', () => {
    expect(meanSurprise([-1, null, -3])).toBe(2);
    expect(meanSurprise([null])).toBeNull();
    expect(meanSurprise([])).toBeNull();
  });
});
