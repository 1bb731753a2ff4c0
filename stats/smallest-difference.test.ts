import { describe, expect, it } from 'vitest';
import { mcnemar } from './mcnemar';
import { smallestPairedDifference, smallestUnpairedDifference } from './smallest-difference';

const points = (difference: number) => (100 * difference).toFixed(1);

describe('the smallest difference that an evaluation sees', () => {
  it.each([
    [140, ['7.5', '10.6', '13.0']],
    [134, ['7.6', '10.8', '13.2']],
    [50, ['12.5', '17.7', '21.7']],
    [274, ['5.3', '7.6', '9.3']],
  ])('on the same %i tasks is known at discordant rates of 10, 20 and 30 %%', (tasks, known) => {
    expect([0.1, 0.2, 0.3].map((rate) => points(smallestPairedDifference(tasks, rate)))).toEqual(known);
  });

  it.each([
    [140, '16.7'],
    [134, '17.1'],
    [50, '28.0'],
  ])('on %i tasks each is known at a rate of one half', (tasks, known) => {
    expect(points(smallestUnpairedDifference(tasks))).toBe(known);
  });

  it('is seen by the exact McNemar test about as often as it says', () => {
    const power = exactPower(274, 0.2, smallestPairedDifference(274, 0.2));
    // The exact test is the more cautious one.
    expect(power).toBeGreaterThan(0.74);
    expect(power).toBeLessThan(0.82);
    expect(exactPower(274, 0.2, 0)).toBeLessThan(0.05);
  });

  it('falls to half with four times the tasks', () => {
    expect(smallestPairedDifference(400, 0.2)).toBeCloseTo(smallestPairedDifference(100, 0.2) / 2, 12);
    expect(smallestUnpairedDifference(400, 0.3)).toBeCloseTo(smallestUnpairedDifference(100, 0.3) / 2, 12);
  });

  it('is not asked for without tasks, nor of a rate that is none', () => {
    expect(() => smallestPairedDifference(0, 0.1)).toThrow('pairs is 0; expected a count, 1 or more');
    expect(() => smallestPairedDifference(10, 1.5)).toThrow('discordantRate is 1.5; expected a fraction');
    expect(() => smallestUnpairedDifference(1.5)).toThrow('tasks is 1.5');
  });
});

/** How often the exact test finds p < .05, over all numbers of discordant tasks and of gained among them. */
function exactPower(pairs: number, discordantRate: number, difference: number): number {
  const gainedShare = (discordantRate + difference) / (2 * discordantRate);
  let power = 0;
  for (let discordant = 0; discordant <= pairs; discordant++) {
    const chance = binomial(discordant, pairs, discordantRate);
    if (chance < 1e-9) continue;
    for (let gained = 0; gained <= discordant; gained++)
      if (mcnemar(gained, discordant - gained).pValue < 0.05)
        power += chance * binomial(gained, discordant, gainedShare);
  }
  return power;
}

/** P(X = k) for n trials of p. */
function binomial(k: number, n: number, p: number): number {
  let log = k * Math.log(p) + (n - k) * Math.log1p(-p);
  for (let i = 1; i <= k; i++) log += Math.log(n - k + i) - Math.log(i);
  return Math.exp(log);
}
