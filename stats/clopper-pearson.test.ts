import { describe, expect, it } from 'vitest';
import { clopperPearson } from './clopper-pearson';
import { wilson } from './wilson';

/** Counts of published runs with their 95 % intervals in percent, to two decimals. */
const KNOWN: [k: number, n: number, low: number, high: number][] = [
  [0, 140, 0, 2.6],
  [10, 140, 3.48, 12.74],
  [74, 140, 44.25, 61.34],
  [104, 140, 66.22, 81.29],
  [123, 140, 81.27, 92.76],
  [71, 134, 44.18, 61.66],
  [79, 134, 50.13, 67.37],
  [13, 16, 54.35, 95.95],
  [10, 13, 46.19, 94.96],
  [17, 17, 80.49, 100],
  [74, 90, 72.74, 89.48],
  [0, 90, 0, 4.02],
];

describe('clopperPearson', () => {
  it.each(KNOWN)('gives the published interval of %i of %i', (k, n, low, high) => {
    const interval = clopperPearson(k, n);
    expect((interval.low * 100).toFixed(2)).toBe(low.toFixed(2));
    expect((interval.high * 100).toFixed(2)).toBe(high.toFixed(2));
  });

  it('has the closed bounds 1 - .025^(1/n) without a success and .025^(1/n) without a failure', () => {
    for (const n of [1, 4, 17, 140, 5000]) {
      expect(clopperPearson(0, n).high).toBeCloseTo(1 - 0.025 ** (1 / n), 12);
      expect(clopperPearson(n, n).low).toBeCloseTo(0.025 ** (1 / n), 12);
    }
  });

  it('leaves 2.5 % of outcomes beyond either bound', () => {
    const [k, n] = [5, 12];
    const { low, high } = clopperPearson(k, n);
    const choose = (of: number): number => (of === 0 ? 1 : (choose(of - 1) * (n - of + 1)) / of);
    const probability = (outcome: number, fraction: number) =>
      choose(outcome) * fraction ** outcome * (1 - fraction) ** (n - outcome);
    const sum = (from: number, to: number, fraction: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => probability(from + index, fraction)).reduce(
        (total, part) => total + part,
        0,
      );
    expect(sum(k, n, low)).toBeCloseTo(0.025, 12);
    expect(sum(0, k, high)).toBeCloseTo(0.025, 12);
  });

  it('mirrors when successes and failures change places, and is the wider beside Wilson’s', () => {
    for (let k = 1; k < 37; k++) {
      const { low, high } = clopperPearson(k, 37);
      expect(low).toBeCloseTo(1 - clopperPearson(37 - k, 37).high, 12);
      expect(high - low).toBeGreaterThan(wilson(k, 37).high - wilson(k, 37).low);
    }
  });

  it('knows nothing without trials, and refuses more successes than trials', () => {
    expect(clopperPearson(0, 0)).toEqual({ low: 0, high: 1 });
    expect(() => clopperPearson(5, 4)).toThrow('k is 5; expected a count from 0 to n = 4');
  });
});
