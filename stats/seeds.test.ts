import { describe, expect, it } from 'vitest';
import { summariseSeeds } from './seeds';

describe('summariseSeeds', () => {
  it('gives 86.79 ± 1.52 for two seeds that solved 123 and 120 of 140', () => {
    const { n, mean, standardDeviation } = summariseSeeds([(123 / 140) * 100, (120 / 140) * 100]);
    expect(n).toBe(2);
    expect(mean.toFixed(2)).toBe('86.79');
    expect(standardDeviation?.toFixed(2)).toBe('1.52');
  });

  it('divides by n - 1', () => {
    // Squares about the mean 5: 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32, over 7.
    expect(summariseSeeds([2, 4, 4, 4, 5, 5, 7, 9]).standardDeviation).toBeCloseTo(Math.sqrt(32 / 7), 14);
  });

  it('keeps a small spread of large values', () => {
    expect(summariseSeeds([1e9 + 1, 1e9 + 2, 1e9 + 3])).toEqual({
      n: 3,
      mean: 1e9 + 2,
      standardDeviation: 1,
    });
  });

  it('knows no spread of one seed, and none where all agree', () => {
    expect(summariseSeeds([0.4])).toEqual({ n: 1, mean: 0.4, standardDeviation: null });
    expect(summariseSeeds([0.5, 0.5]).standardDeviation).toBe(0);
  });

  it('refuses nothing, and what is not finite', () => {
    expect(() => summariseSeeds([])).toThrow('no seed to summarise');
    expect(() => summariseSeeds([1, NaN])).toThrow('values[1] is NaN');
  });
});
