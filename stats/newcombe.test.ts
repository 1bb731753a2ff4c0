import { describe, expect, it } from 'vitest';
import { newcombe, newcombePValue } from './newcombe';

/** Newcombe 1998, table II, method 10: the paper's eight contrasts to four decimals. */
const PUBLISHED: [kA: number, nA: number, kB: number, nB: number, low: number, high: number][] = [
  [56, 70, 48, 80, 0.0524, 0.3339],
  [9, 10, 3, 10, 0.1705, 0.809],
  [6, 7, 2, 7, 0.0582, 0.8062],
  [5, 56, 0, 29, -0.0381, 0.1926],
  [0, 10, 0, 20, -0.1611, 0.2775],
  [0, 10, 0, 10, -0.2775, 0.2775],
  [10, 10, 0, 20, 0.6791, 1],
  [10, 10, 0, 10, 0.6075, 1],
];

describe('newcombe', () => {
  it.each(PUBLISHED)('gives the published interval of %i/%i - %i/%i', (kA, nA, kB, nB, low, high) => {
    const interval = newcombe({ k: kA, n: nA }, { k: kB, n: nB });
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  it('gives +5.97 pp [-5.8, 17.6] for 79/134 against 71/134', () => {
    const { difference, low, high } = newcombe({ k: 79, n: 134 }, { k: 71, n: 134 });
    expect((difference * 100).toFixed(2)).toBe('5.97');
    expect((low * 100).toFixed(1)).toBe('-5.8');
    expect((high * 100).toFixed(1)).toBe('17.6');
  });

  it('mirrors when the sides change places', () => {
    for (let k = 0; k <= 12; k++) {
      const there = newcombe({ k, n: 12 }, { k: 5, n: 17 });
      const back = newcombe({ k: 5, n: 17 }, { k, n: 12 });
      expect(there.low).toBeCloseTo(-back.high, 14);
      expect(there.high).toBeCloseTo(-back.low, 14);
    }
  });

  it('holds the difference and stays within -1 and 1', () => {
    for (let kA = 0; kA <= 9; kA++)
      for (let kB = 0; kB <= 14; kB++) {
        const { difference, low, high } = newcombe({ k: kA, n: 9 }, { k: kB, n: 14 });
        expect(low).toBeGreaterThanOrEqual(-1);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(difference);
        expect(high).toBeGreaterThanOrEqual(difference);
      }
  });

  it('is wider for a larger quantile', () => {
    const sides = [
      { k: 7, n: 20 },
      { k: 12, n: 30 },
    ] as const;
    expect(newcombe(...sides, 2.575829).low).toBeLessThan(newcombe(...sides).low);
    expect(newcombe(...sides, 2.575829).high).toBeGreaterThan(newcombe(...sides).high);
  });

  it('refuses a side without trials and a count beyond them', () => {
    expect(() => newcombe({ k: 0, n: 0 }, { k: 1, n: 2 })).toThrow('n is 0; a difference needs trials');
    expect(() => newcombe({ k: 1, n: 2 }, { k: 3, n: 2 })).toThrow(
      'k is 3; expected a count from 0 to n = 2',
    );
  });
});

describe('newcombePValue', () => {
  it('is below .05 exactly where the 95 % interval lacks 0', () => {
    for (let k = 37; k <= 50; k++) {
      const { low } = newcombe({ k, n: 50 }, { k: 37, n: 50 });
      expect(newcombePValue({ k, n: 50 }, { k: 37, n: 50 }) < 0.05).toBe(low > 0);
    }
  });

  it('is the same both ways, 1 without a difference and next to nothing for 121 against 1 of 140', () => {
    const [a, b] = [
      { k: 79, n: 134 },
      { k: 71, n: 134 },
    ];
    expect(newcombePValue(a, b)).toBeCloseTo(newcombePValue(b, a), 12);
    expect(newcombePValue(a, a)).toBe(1);
    expect(newcombePValue({ k: 121, n: 140 }, { k: 1, n: 140 })).toBeLessThan(1e-12);
  });
});
