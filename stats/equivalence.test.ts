import { describe, expect, it } from 'vitest';
import { equivalencePValue } from './equivalence';

const cavo = { both: 59, gained: 6, lost: 16, neither: 80 };

describe('equivalencePValue', () => {
  it('is 2.5 % at the bounds of the published 95 % score interval of Cavo et al. 2012', () => {
    // The R package contingencytables: Tango's interval is -0.1240 to -0.0054.
    expect(equivalencePValue(cavo, 0.124)).toBeCloseTo(0.025, 3);
    expect(equivalencePValue(cavo, 0.0054)).toBeCloseTo(0.975, 3);
  });

  it('comes to McNemar’s asymptotic test as the margin goes to 0', () => {
    // Published for the same table: Z = -2.132, two-sided p = 0.033006.
    expect(equivalencePValue(cavo, 1e-9)).toBeCloseTo(1 - 0.033006 / 2, 6);
  });

  it('has the closed form √(n m / (1 - m)) where no task differs', () => {
    // n = 140, m = 0.05: z = 2.71448, whose upper tail is 0.00331896.
    const same = { both: 74, gained: 0, lost: 0, neither: 66 };
    expect(equivalencePValue(same, 0.05)).toBeCloseTo(0.00331896, 8);
  });

  it('does not care which side gained, and falls as the margin grows', () => {
    for (const margin of [0.02, 0.05, 0.1, 0.3]) {
      expect(equivalencePValue(cavo, margin)).toBeCloseTo(
        equivalencePValue({ ...cavo, gained: 16, lost: 6 }, margin),
        12,
      );
      expect(equivalencePValue(cavo, margin + 0.01)).toBeLessThan(equivalencePValue(cavo, margin));
    }
  });

  it('is a half where the margin is the difference itself', () => {
    expect(equivalencePValue(cavo, 10 / 161)).toBeCloseTo(0.5, 12);
  });

  it('never shows equivalence of opposite policies', () => {
    expect(equivalencePValue({ both: 0, gained: 40, lost: 0, neither: 0 }, 0.5)).toBeGreaterThan(0.999);
  });

  it('refuses a margin that is no fraction, and no tasks', () => {
    expect(() => equivalencePValue(cavo, 0)).toThrow('margin is 0; expected a fraction between 0 and 1');
    expect(() => equivalencePValue(cavo, 5)).toThrow('margin is 5');
    expect(() => equivalencePValue({ both: 0, gained: 0, lost: 0, neither: 0 }, 0.05)).toThrow(
      'no task was played',
    );
  });
});
