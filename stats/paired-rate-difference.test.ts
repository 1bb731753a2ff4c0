import { describe, expect, it } from 'vitest';
import { bootstrapRate } from './bootstrap';
import { bootstrapRateDifference } from './paired-rate-difference';
import { seededRandom } from './testing/seeded-random';

const pair = (before: [number, number], after: [number, number]) => ({
  before: { count: before[0], outOf: before[1] },
  after: { count: after[0], outOf: after[1] },
});

describe('the difference of a rate over turns on the same tasks', () => {
  it('is the rate after less the rate before, each over all its turns', () => {
    // 2 of 10 turns before, 9 of 15 after.
    const { estimate } = bootstrapRateDifference(
      [pair([1, 4], [5, 5]), pair([1, 6], [4, 10])],
      seededRandom(1),
    );
    expect(estimate).toBeCloseTo(9 / 15 - 2 / 10, 12);
  });

  it('spans what one task or the other alone would show', () => {
    const { low, high } = bootstrapRateDifference(
      [pair([0, 1], [1, 1]), pair([1, 1], [1, 1])],
      seededRandom(2),
    );
    expect([low, high]).toEqual([0, 1]);
  });

  it('is without width where every task shows the same difference, however far the tasks are apart', () => {
    const tasks = Array.from({ length: 20 }, (_, task) => pair([task, 40], [task + 10, 40]));
    const { estimate, low, high } = bootstrapRateDifference(tasks, seededRandom(3));
    for (const value of [estimate, low, high]) expect(value).toBeCloseTo(0.25, 12);
    const alone = bootstrapRate(
      tasks.map(({ before }) => before),
      seededRandom(3),
    );
    expect(alone.high - alone.low).toBeGreaterThan(0.1);
  });

  it('refuses no task, and a task without turns on a side', () => {
    expect(() => bootstrapRateDifference([], seededRandom(1))).toThrow('no task');
    expect(() => bootstrapRateDifference([pair([0, 1], [0, 0])], seededRandom(1))).toThrow('0 of 0 after');
  });
});
