import { describe, expect, it } from 'vitest';
import { countTasks, pairOutcomes, taskDifferences } from './task-pairs';

const byTask = <Value>(values: Record<string, Value>) => new Map(Object.entries(values));

describe('pairOutcomes', () => {
  it('counts the four outcomes by task id, whatever the order', () => {
    const before = byTask({ a: true, b: false, c: false, d: true, e: true });
    const after = byTask({ e: true, d: false, c: true, b: false, a: true });
    expect(pairOutcomes(before, after)).toEqual({ both: 2, gained: 1, lost: 1, neither: 1 });
  });

  it('exchanges gained and lost when the sides change places', () => {
    const before = byTask({ a: true, b: false, c: false });
    const after = byTask({ a: false, b: true, c: true });
    expect(pairOutcomes(before, after)).toMatchObject({ gained: 2, lost: 1 });
    expect(pairOutcomes(after, before)).toMatchObject({ gained: 1, lost: 2 });
  });

  it('names a task that was played on one side only', () => {
    expect(() => pairOutcomes(byTask({ a: true }), byTask({ a: true, b: true }))).toThrow(
      'the task b was played on one side only',
    );
    expect(() => pairOutcomes(byTask({ a: true, c: false }), byTask({ a: true }))).toThrow(
      'the task c was played on one side only',
    );
  });
});

describe('countTasks', () => {
  it('adds up the four counts', () => {
    expect(countTasks({ both: 1, gained: 2, lost: 3, neither: 4 })).toBe(10);
  });

  it('refuses what is not a count, and no task at all', () => {
    const none = { both: 0, gained: 0, lost: 0, neither: 0 };
    expect(() => countTasks({ ...none, lost: -1 })).toThrow('lost is -1; expected a count, 0 or more');
    expect(() => countTasks({ ...none, both: 0.5 })).toThrow('both is 0.5');
    expect(() => countTasks(none)).toThrow('no task was played on both sides');
  });
});

describe('taskDifferences', () => {
  it('weighs every task alike, however many trajectories it has', () => {
    const before = byTask({ a: [1, 0, 0, 0], b: [1] });
    const after = byTask({ b: [0, 1], a: [1, 1] });
    expect(taskDifferences(before, after)).toEqual([0.75, -0.5]);
  });

  it('refuses a task without trajectories, on one side only, or without a figure', () => {
    expect(() => taskDifferences(byTask({ a: [] }), byTask({ a: [1] }))).toThrow('task a has no trajectory');
    expect(() => taskDifferences(byTask({ a: [1] }), byTask({ b: [1] }))).toThrow('played on one side only');
    expect(() => taskDifferences(byTask({ a: [1] }), byTask({ a: [NaN] }))).toThrow(
      'a value of the task a is NaN',
    );
  });
});
