import { describe, expect, it } from 'vitest';
import { countSuccesses, noiseWords, rateWords, samplesSentence } from './samples';

describe('samples of a pair', () => {
  it('counts successes and gives the Wilson interval', () => {
    expect(countSuccesses([{ success: true }, { success: false }])).toEqual({ successes: 1, n: 2 });
    expect(rateWords({ successes: 3, n: 4 })).toBe('3/4 75.0 [30.1, 95.4]');
    expect(rateWords({ successes: 0, n: 0 })).toBe('no samples');
  });

  it('compares nothing with fewer than 30 a side, however far apart', () => {
    expect(samplesSentence({ successes: 3, n: 4 }, { successes: 1, n: 4 })).toBe('n = 4, not compared.');
    expect(samplesSentence({ successes: 0, n: 8 }, { successes: 40, n: 40 })).toBe('n = 8, not compared.');
  });

  it('distinguishes nothing where the interval of the difference holds 0', () => {
    expect(samplesSentence({ successes: 71, n: 134 }, { successes: 79, n: 134 })).toBe(
      'Not distinguishable: B less A +6.0 pp [−5.8, 17.6], 95% Newcombe.',
    );
  });

  it('speaks of this task alone where it does not', () => {
    expect(samplesSentence({ successes: 0, n: 64 }, { successes: 64, n: 64 })).toMatch(
      /^B less A \+100\.0 pp .* other tasks may differ\.$/,
    );
  });

  it('compares nothing without samples', () => {
    expect(samplesSentence({ successes: 0, n: 0 }, { successes: 8, n: 8 })).toMatch(/nothing is compared/);
  });
});

describe('the noise floor in words', () => {
  const floor = { samples: 8, pairs: 28, neverPart: 3, medianTurn: 2 };

  it('stands beside the turn at which the sides part, with its n', () => {
    expect(noiseWords(3, { a: { noiseFloor: floor }, b: { noiseFloor: null } })).toBe(
      'A and B part at turn 3. Noise floor, two samples of one checkpoint: A median turn 2 (28 pairs of 8 samples, 3 never); B n/a, fewer than two samples.',
    );
  });

  it('is no turn where samples mostly never part', () => {
    const alike = { samples: 2, pairs: 1, neverPart: 1, medianTurn: null };
    expect(noiseWords(null, { a: { noiseFloor: alike }, b: { noiseFloor: alike } })).toMatch(
      /^A and B never part\. .*A mostly never part \(1 pair of 2 samples, 1 never\)/,
    );
  });
});
