import { expect, it } from 'vitest';
import { kendallTrend } from './kendall-trend';

it('is 1 for a series that only rises, -1 for one that only falls, and counts ties for neither', () => {
  expect(kendallTrend([1, 2, 3, 4])).toBe(1);
  expect(kendallTrend([4, 3, 1])).toBe(-1);
  // Six pairs: five rise, (3, 2) falls.
  expect(kendallTrend([1, 3, 2, 4])).toBeCloseTo(4 / 6, 12);
  // (1, 1) is a tie: five rises of six pairs.
  expect(kendallTrend([1, 1, 2, 3])).toBeCloseTo(5 / 6, 12);
  expect(kendallTrend([7])).toBeNaN();
});
