import { describe, expect, it } from 'vitest';
import { wilson } from './wilson';

/** Counts of published runs with their 95 % intervals in percent, to two decimals. */
const KNOWN: [k: number, n: number, low: number, high: number][] = [
  [0, 140, 0, 2.67],
  [10, 140, 3.93, 12.65],
  [74, 140, 44.62, 60.94],
  [104, 140, 66.47, 80.81],
  [123, 140, 81.41, 92.28],
  [71, 134, 44.57, 61.23],
  [79, 134, 50.49, 66.92],
  [13, 23, 36.81, 74.37],
  [13, 16, 56.99, 93.41],
  [10, 13, 49.74, 91.82],
  [17, 17, 81.57, 100],
  [74, 90, 73.06, 88.75],
  [0, 90, 0, 4.09],
];

describe('wilson', () => {
  it.each(KNOWN)('gives the published interval of %i of %i', (k, n, low, high) => {
    const interval = wilson(k, n);
    expect((interval.low * 100).toFixed(2)).toBe(low.toFixed(2));
    expect((interval.high * 100).toFixed(2)).toBe(high.toFixed(2));
  });

  it('gives 30.1 to 95.4 % for 3 of 4 and 4.6 to 69.9 % for 1 of 4', () => {
    expect((wilson(3, 4).low * 100).toFixed(1)).toBe('30.1');
    expect((wilson(3, 4).high * 100).toFixed(1)).toBe('95.4');
    expect((wilson(1, 4).low * 100).toFixed(1)).toBe('4.6');
    expect((wilson(1, 4).high * 100).toFixed(1)).toBe('69.9');
  });

  it('mirrors when successes and failures change places', () => {
    for (let k = 0; k <= 37; k++) {
      expect(wilson(k, 37).low).toBeCloseTo(1 - wilson(37 - k, 37).high, 14);
    }
  });

  it('holds the fraction and stays within 0 and 1', () => {
    for (let n = 1; n <= 30; n++)
      for (let k = 0; k <= n; k++) {
        const { low, high } = wilson(k, n);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(k / n);
        expect(high).toBeGreaterThanOrEqual(k / n);
      }
  });

  it('is wider for a larger quantile', () => {
    expect(wilson(7, 20, 2.575829).low).toBeLessThan(wilson(7, 20).low);
    expect(wilson(7, 20, 2.575829).high).toBeGreaterThan(wilson(7, 20).high);
  });

  it('knows nothing without trials', () => {
    expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
  });

  it.each([
    [5, 4, 'k is 5; expected a count from 0 to n = 4'],
    [-1, 4, 'k is -1; expected a count from 0 to n = 4'],
    [0.5, 4, 'k is 0.5; expected a count from 0 to n = 4'],
    [0, -2, 'n is -2; expected a count, 0 or more'],
    [0, Number.NaN, 'n is NaN; expected a count, 0 or more'],
  ])('refuses %d of %d', (k, n, message) => {
    expect(() => wilson(k, n)).toThrow(message);
  });
});
