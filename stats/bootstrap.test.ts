import { describe, expect, it } from 'vitest';
import { bootstrapDifference, bootstrapMean, bootstrapRate } from './bootstrap';
import { taskDifferences } from './task-pairs';
import { seededRandom } from './testing/seeded-random';
import { wilson } from './wilson';

/** 74 of 140 tasks solved. */
const outcomes = Array.from({ length: 140 }, (_, task) => (task < 74 ? 1 : 0));

describe('bootstrapDifference', () => {
  it('resamples both sides: wider than either alone, and 0 in the middle of two equal ones', () => {
    const { estimate, low, high } = bootstrapDifference(outcomes, outcomes, seededRandom(1));
    expect(estimate).toBe(0);
    // A difference of two independent means of 74/140 has the standard error 0.0597.
    expect(low).toBeCloseTo(-1.96 * 0.0597, 2);
    expect(high).toBeCloseTo(1.96 * 0.0597, 2);
  });

  it('refuses a side without a value', () => {
    expect(() => bootstrapDifference([], outcomes, seededRandom(1))).toThrow('a has no value');
  });
});

describe('bootstrapMean', () => {
  it('finds the quantiles of the binomial that resampled successes follow', () => {
    // 2.5 % and 97.5 % quantiles of a binomial with 140 trials of 74/140: 62 and 85 or 86.
    const { estimate, low, high } = bootstrapMean(outcomes, seededRandom(1));
    expect(estimate).toBe(74 / 140);
    expect(Math.abs(low * 140 - 62)).toBeLessThanOrEqual(1);
    expect(Math.abs(high * 140 - 86)).toBeLessThanOrEqual(1);
  });

  it('spans both values of two tasks, since one resample in four draws the same twice', () => {
    expect(bootstrapMean([3, 7], seededRandom(2))).toEqual({ estimate: 5, low: 3, high: 7 });
  });

  it('gives the same interval for the same seed and another for another', () => {
    const values = outcomes.map((outcome, task) => outcome + task / 1000);
    expect(bootstrapMean(values, seededRandom(5))).toEqual(bootstrapMean(values, seededRandom(5)));
    expect(bootstrapMean(values, seededRandom(5))).not.toEqual(bootstrapMean(values, seededRandom(6)));
  });

  it('moves and stretches with the values', () => {
    const plain = bootstrapMean(outcomes, seededRandom(7));
    const moved = bootstrapMean(
      outcomes.map((outcome) => 3 + 2 * outcome),
      seededRandom(7),
    );
    expect(moved.low).toBeCloseTo(3 + 2 * plain.low, 12);
    expect(moved.high).toBeCloseTo(3 + 2 * plain.high, 12);
  });

  it('mirrors differences of tasks when the sides change places', () => {
    const side = (solved: (task: number, sample: number) => boolean) =>
      new Map(
        Array.from({ length: 30 }, (_, task) => [
          `task ${task}`,
          Array.from({ length: 8 }, (_, sample) => Number(solved(task, sample))),
        ]),
      );
    const before = side((task, sample) => (task * sample) % 3 === 0);
    const after = side((task, sample) => (task + sample) % 4 > 0);
    const gain = bootstrapMean(taskDifferences(before, after), seededRandom(8));
    const loss = bootstrapMean(taskDifferences(after, before), seededRandom(8));
    expect(gain.estimate).toBeCloseTo(-loss.estimate, 14);
    expect(gain.low).toBeCloseTo(-loss.high, 12);
    expect(gain.high).toBeCloseTo(-loss.low, 12);
  });

  it('refuses nothing, and what is not finite', () => {
    expect(() => bootstrapMean([], seededRandom(1))).toThrow('no value to resample');
    expect(() => bootstrapMean([1, NaN], seededRandom(1))).toThrow('values[1] is NaN');
  });
});

describe('bootstrapRate', () => {
  it('is the sum of counts over the sum of turns, not the mean of the tasks’ rates', () => {
    const tasks = [
      { count: 1, outOf: 1 },
      { count: 0, outOf: 9 },
    ];
    const { estimate, low, high } = bootstrapRate(tasks, seededRandom(1));
    expect([estimate, low, high]).toEqual([0.1, 0, 1]);
  });

  it('counts tasks, not turns, where the turns of a task are all alike', () => {
    const tasks = outcomes.map((outcome) => ({ count: 10 * outcome, outOf: 10 }));
    const rate = bootstrapRate(tasks, seededRandom(3));
    expect(rate).toEqual(bootstrapMean(outcomes, seededRandom(3)));
    const unclustered = wilson(740, 1400);
    expect(rate.high - rate.low).toBeGreaterThan(3 * (unclustered.high - unclustered.low));
  });

  it('has no width where all tasks have the same rate', () => {
    const tasks = [2, 4, 40].map((outOf) => ({ count: outOf / 2, outOf }));
    expect(bootstrapRate(tasks, seededRandom(4))).toEqual({ estimate: 0.5, low: 0.5, high: 0.5 });
  });

  it('refuses no tasks, a task without turns and a negative count', () => {
    expect(() => bootstrapRate([], seededRandom(1))).toThrow('no task to resample');
    expect(() => bootstrapRate([{ count: 0, outOf: 0 }], seededRandom(1))).toThrow('outOf of task 0 is 0');
    expect(() => bootstrapRate([{ count: -1, outOf: 3 }], seededRandom(1))).toThrow('count of task 0 is -1');
  });
});
