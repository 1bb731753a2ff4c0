import { describe, expect, it } from 'vitest';
import { countSuccesses, rateWords, samplesSentence } from './samples';

describe('samples of a pair', () => {
  it('counts successes and gives the Wilson interval', () => {
    expect(countSuccesses([{ success: true }, { success: false }])).toEqual({ successes: 1, n: 2 });
    expect(rateWords({ successes: 3, n: 4 })).toBe('3/4 75.0 [30.1, 95.4]');
    expect(rateWords({ successes: 0, n: 0 })).toBe('no samples');
  });

  it('establishes nothing where the intervals overlap: 3/4 against 1/4', () => {
    expect(samplesSentence({ successes: 3, n: 4 }, { successes: 1, n: 4 })).toMatch(/not established/);
  });

  it('speaks of this task alone where they do not: 0/8 against 8/8', () => {
    expect(samplesSentence({ successes: 0, n: 8 }, { successes: 8, n: 8 })).toMatch(/other tasks may differ/);
  });

  it('compares nothing without samples', () => {
    expect(samplesSentence({ successes: 0, n: 0 }, { successes: 8, n: 8 })).toMatch(/nothing is compared/);
  });
});
