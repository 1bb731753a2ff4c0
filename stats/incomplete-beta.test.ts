import { describe, expect, it } from 'vitest';
import { incompleteBeta } from './incomplete-beta';

/** I_x(a, b) in 40 digits' arithmetic: the binomial sum for whole a and b, the hypergeometric series otherwise. */
const KNOWN: [x: number, a: number, b: number, value: number][] = [
  [0.2, 1, 1, 0.2],
  [0.3, 2, 3, 0.3483],
  [0.5, 0.5, 0.5, 0.5],
  [0.01, 0.5, 20, 0.47136993548501556],
  [0.95, 30, 2, 0.53659690985734392],
  [0.5286, 74, 67, 0.5346195785340229],
  [0.001, 1, 140, 0.13070265814545412],
  [0.9999, 3, 1, 0.999700029999],
  [0.07, 70, 900, 0.41003022028774563],
  [0.49, 5000, 5000, 0.022742032324574642],
  [0.0001, 3, 4000, 0.0079327683322632278],
];

describe('incompleteBeta', () => {
  it.each(KNOWN)('is exact to ten digits at x = %d, a = %d, b = %d', (x, a, b, value) => {
    expect(Math.abs(incompleteBeta(x, a, b) / value - 1)).toBeLessThan(1e-10);
  });

  it('is the polynomial 3x² - 2x³ for a = b = 2 and 1 - (1 - x)^b for a = 1', () => {
    for (let x = 0; x <= 1; x += 0.0625) {
      expect(incompleteBeta(x, 2, 2)).toBeCloseTo(3 * x ** 2 - 2 * x ** 3, 13);
      expect(incompleteBeta(x, 1, 7.5)).toBeCloseTo(1 - (1 - x) ** 7.5, 13);
    }
  });

  it('mirrors when a and b change places', () => {
    for (const [x, a, b] of KNOWN)
      expect(incompleteBeta(x, a, b)).toBeCloseTo(1 - incompleteBeta(1 - x, b, a), 12);
  });

  it('rises from 0 to 1', () => {
    const values = Array.from({ length: 101 }, (_, index) => incompleteBeta(index / 100, 12, 30));
    expect(values[0]).toBe(0);
    expect(values[100]).toBe(1);
    expect(values).toEqual([...values].sort((one, other) => one - other));
  });

  it.each([
    [1.5, 1, 1, 'x is 1.5; expected 0 to 1'],
    [0.5, 0, 1, 'a is 0; expected a positive number'],
    [0.5, 1, Infinity, 'b is Infinity; expected a positive number'],
  ])('refuses x = %d, a = %d, b = %d', (x, a, b, message) => {
    expect(() => incompleteBeta(x, a, b)).toThrow(message);
  });
});
