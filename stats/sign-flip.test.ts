import { describe, expect, it } from 'vitest';
import { mcnemar } from './mcnemar';
import { signFlipTest } from './sign-flip';
import { seededRandom } from './testing/seeded-random';

const oneEach = (gained: number, lost: number) => [
  ...new Array<number>(gained).fill(1),
  ...new Array<number>(lost).fill(-1),
];

describe('signFlipTest', () => {
  it('counts the patterns at least as far from 0', () => {
    // ±1 ±2 ±3 is 6 or more twice of 8 times; ±3 ±1 ±1 is 3 or more six times.
    expect(signFlipTest([1, 2, 3], seededRandom(1))).toEqual({ pValue: 2 / 8, patterns: 8, exact: true });
    expect(signFlipTest([3, 1, -1], seededRandom(1)).pValue).toBe(6 / 8);
  });

  it('counts sums that are equal but for rounding', () => {
    // ±.1 ±.2 ±.3 ±.3 is .3 or more from 0 twelve times of 16, eight times by .3 itself.
    expect(signFlipTest([0.1, 0.2, 0.3, -0.3], seededRandom(1)).pValue).toBe(12 / 16);
  });

  it.each([
    [5, 1],
    [8, 2],
    [7, 9],
    [0, 16],
  ])('is the exact McNemar test of %i gained and %i lost', (gained, lost) => {
    const { pValue, exact } = signFlipTest(oneEach(gained, lost), seededRandom(1));
    expect(exact).toBe(true);
    expect(pValue).toBeCloseTo(mcnemar(gained, lost).pValue, 12);
  });

  it.each([
    [13, 19],
    [9, 20],
    [11, 11],
    [27, 9],
  ])('comes near the exact McNemar test of %i gained and %i lost by random patterns', (gained, lost) => {
    const { pValue, exact, patterns } = signFlipTest(oneEach(gained, lost), seededRandom(11));
    expect({ exact, patterns }).toEqual({ exact: false, patterns: 10_000 });
    const expected = mcnemar(gained, lost).pValue;
    // Four standard errors of a share of 10,000 patterns, and the observed one that is added.
    const tolerance = 4 * Math.sqrt((expected * (1 - expected)) / 10_000) + 1e-4;
    expect(Math.abs(pValue - expected)).toBeLessThanOrEqual(tolerance);
  });

  it('uses a sign of its own for each of more than 32 tasks', () => {
    // Of 40 equal gains only 2 patterns of 2^40 are as far; one sign for two tasks would make it far likelier.
    expect(signFlipTest(oneEach(40, 0), seededRandom(3)).pValue).toBe(1 / 10_001);
    // 5 lost and 38 gained: 2.5e-7, below what 10,000 patterns can tell.
    expect(signFlipTest(oneEach(38, 5), seededRandom(3)).pValue).toBe(1 / 10_001);
  });

  it('leaves out tasks without a difference, and finds nothing where there is none', () => {
    expect(signFlipTest([1, 0, 2, 0, 3], seededRandom(1))).toEqual(signFlipTest([1, 2, 3], seededRandom(1)));
    expect(signFlipTest([0, 0], seededRandom(1))).toEqual({ pValue: 1, patterns: 1, exact: true });
  });

  it('does not care for the sign or the unit of the differences', () => {
    const differences = [0.125, -0.5, 0.75, 0.25, 1, -0.125, 0.375];
    const { pValue } = signFlipTest(differences, seededRandom(1));
    expect(
      signFlipTest(
        differences.map((difference) => -100 * difference),
        seededRandom(1),
      ).pValue,
    ).toBe(pValue);
  });

  it('gives the same p-value for the same seed', () => {
    const differences = Array.from({ length: 60 }, (_, task) => Math.sin(task) + 0.1);
    expect(signFlipTest(differences, seededRandom(9))).toEqual(signFlipTest(differences, seededRandom(9)));
  });

  it('refuses nothing, and what is not finite', () => {
    expect(() => signFlipTest([], seededRandom(1))).toThrow('no difference to test');
    expect(() => signFlipTest([1, Infinity], seededRandom(1))).toThrow('differences[1] is Infinity');
  });
});
