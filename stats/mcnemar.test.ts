import { describe, expect, it } from 'vitest';
import { mcnemar, mcnemarOf } from './mcnemar';

describe('mcnemar', () => {
  it('doubles the smaller tail of a fair binomial', () => {
    // 2 (1 + 6) / 64, 2 (1 + 10 + 45) / 1024, 2 / 2^8.
    expect(mcnemar(5, 1).pValue).toBeCloseTo(14 / 64, 14);
    expect(mcnemar(8, 2).pValue).toBeCloseTo(112 / 1024, 14);
    expect(mcnemar(0, 8).pValue).toBeCloseTo(2 / 256, 14);
  });

  it.each([
    [5, 38, '2.50e-7'],
    [13, 19, '3.77e-1'],
    [9, 20, '6.14e-2'],
    [7, 9, '8.04e-1'],
    [11, 11, '1.00e+0'],
    [27, 9, '3.93e-3'],
    [0, 0, '1.00e+0'],
  ])('gives the known p-value of %i lost and %i gained', (lost, gained, pValue) => {
    expect(mcnemar(gained, lost).pValue.toExponential(2)).toBe(pValue);
  });

  it('does not care which side gained', () => {
    expect(mcnemar(12, 30).pValue).toBe(mcnemar(30, 12).pValue);
    expect(mcnemar(12, 30)).toMatchObject({ gained: 12, lost: 30 });
  });

  it('finds nothing where gains and losses are equal, or where no task differs', () => {
    expect(mcnemar(0, 0).pValue).toBe(1);
    // The tail of n = 2 up to 1 is 3/4; twice that is above 1.
    expect(mcnemar(1, 1).pValue).toBe(1);
    expect(mcnemar(700, 700).pValue).toBe(1);
  });

  it('agrees with the sum of all outcomes at most as likely, which the fair coin makes the same', () => {
    const [gained, lost] = [17, 6];
    const n = gained + lost;
    const choose = (k: number): number => (k === 0 ? 1 : (choose(k - 1) * (n - k + 1)) / k);
    const atMostAsLikely = Array.from({ length: n + 1 }, (_, k) => choose(k)).filter(
      (ways) => ways <= choose(lost),
    );
    const expected = atMostAsLikely.reduce((sum, ways) => sum + ways, 0) / 2 ** n;
    expect(mcnemar(gained, lost).pValue).toBeCloseTo(expected, 12);
  });

  it('stays finite and positive where 2^-n is zero in floating point', () => {
    const { pValue } = mcnemar(1000, 800);
    // The normal approximation with continuity correction: z = 199 / sqrt(1800), two-sided p = 2.7e-6.
    expect(pValue).toBeGreaterThan(2.2e-6);
    expect(pValue).toBeLessThan(3.2e-6);
  });

  it('refuses what is not a count', () => {
    expect(() => mcnemar(-1, 2)).toThrow(/gained is -1/);
    expect(() => mcnemar(1, 2.5)).toThrow(/lost is 2.5/);
  });
});

describe('mcnemarOf', () => {
  const outcomes = (solved: Record<string, boolean>) => new Map(Object.entries(solved));

  it('pairs outcomes by task, whatever their order', () => {
    const before = outcomes({ a: true, b: false, c: false, d: true });
    const after = outcomes({ d: false, c: true, b: true, a: true });
    expect(mcnemarOf(before, after)).toEqual({ gained: 2, lost: 1, pValue: 1 });
  });

  it('refuses tasks that were played on one side only', () => {
    expect(() => mcnemarOf(outcomes({ a: true }), outcomes({ b: true }))).toThrow(/task a .*one side/);
    expect(() => mcnemarOf(outcomes({}), outcomes({ b: true }))).toThrow(/task b .*one side/);
  });
});
