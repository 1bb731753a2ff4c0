import { describe, expect, it } from 'vitest';
import { holmAdjusted } from './holm';

describe('holmAdjusted', () => {
  it('steps down from the smallest, never below the one before', () => {
    // .01 x 4, .02 x 3, then .03 x 2 and .04 x 1 raised to .06; as R's p.adjust.
    const adjusted = holmAdjusted([0.01, 0.02, 0.03, 0.04]);
    [0.04, 0.06, 0.06, 0.06].forEach((expected, place) => expect(adjusted[place]).toBeCloseTo(expected, 14));
  });

  it('answers in the given order', () => {
    const adjusted = holmAdjusted([0.04, 0.001, 0.03]);
    [0.06, 0.003, 0.06].forEach((expected, place) => expect(adjusted[place]).toBeCloseTo(expected, 14));
  });

  it('leaves a single comparison alone and stays at most 1', () => {
    expect(holmAdjusted([0.049])).toEqual([0.049]);
    expect(holmAdjusted([0.6, 0.7, 1])).toEqual([1, 1, 1]);
    expect(holmAdjusted([])).toEqual([]);
  });

  it('lies between the values and Bonferroni’s', () => {
    const pValues = [0.2, 0.004, 0.05, 0.0001, 0.05, 0.7];
    holmAdjusted(pValues).forEach((adjusted, place) => {
      const pValue = pValues[place] ?? NaN;
      expect(adjusted).toBeGreaterThanOrEqual(pValue);
      expect(adjusted).toBeLessThanOrEqual(Math.min(1, pValue * pValues.length));
    });
  });

  it('refuses what is no probability', () => {
    expect(() => holmAdjusted([0.5, NaN])).toThrow('pValues[1] is NaN; expected 0 to 1');
    expect(() => holmAdjusted([1.5])).toThrow('pValues[0] is 1.5');
  });
});
