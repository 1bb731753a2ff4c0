import { describe, expect, it } from 'vitest';
import type { BehaviourCounts, ProbeShiftTask } from '@/contract/pair';
import { behaviourShift, pairedTasks } from './behaviour-shift';
import { changeOf } from './task-change';

const counts = (changes: Partial<BehaviourCounts> = {}): BehaviourCounts => ({
  trajectories: 1,
  errored: 0,
  successes: 0,
  oneShot: 0,
  turns: 10,
  listedTurns: 10,
  grounded: 2,
  invalid: 8,
  noOp: 0,
  judgedTurns: 10,
  looping: 1,
  ...changes,
});
const greedy = (changes?: Partial<BehaviourCounts>) => ({
  id: '1',
  stopReason: 'turn_limit' as const,
  error: null,
  ...counts(changes),
});

function taskOf(
  number: number,
  a: Partial<BehaviourCounts> | null,
  b: Partial<BehaviourCounts> | null,
): ProbeShiftTask {
  return {
    taskId: `t${number}`,
    taskType: 'open',
    goal: 'open the door',
    a: { greedy: a && greedy(a), samples: a && counts({ ...a, trajectories: 8 }) },
    b: { greedy: b && greedy(b), samples: b && counts({ ...b, trajectories: 8 }) },
    firstDivergence: 1,
  };
}

const won = { successes: 1, turns: 4, listedTurns: 4, grounded: 4, invalid: 0, judgedTurns: 4, looping: 0 };
const rowOf = (tasks: ProbeShiftTask[], name: string) =>
  behaviourShift(tasks, 'greedy').find((row) => row.name === name);

describe('the shift of behaviour between two steps', () => {
  it('compares nothing over few tasks, and shows n, intervals and the method all the same', () => {
    const tasks = [taskOf(0, {}, won), taskOf(1, {}, won), taskOf(2, won, {}), taskOf(3, won, won)];
    expect(rowOf(tasks, 'Success')).toMatchObject({
      n: 4,
      a: '2/4 50.0 [15.0, 85.0]',
      b: '3/4 75.0 [30.1, 95.4]',
      verdict: 'n = 4, not compared',
      method: '2 gained, 1 lost; paired Newcombe',
    });
  });

  it('finds a difference that every task of many shows', () => {
    const tasks = Array.from({ length: 30 }, (_, number) => taskOf(number, {}, won));
    expect(rowOf(tasks, 'Success')?.verdict).toBe('higher');
    expect(rowOf(tasks, 'With a loop')?.verdict).toBe('lower');
    expect(rowOf(tasks, 'Grounded actions')).toMatchObject({
      a: '20.0 [20.0, 20.0]',
      b: '100.0 [100.0, 100.0]',
      difference: '+80.0 pp [80.0, 80.0]',
      verdict: 'higher',
    });
    expect(rowOf(tasks, 'Length')).toMatchObject({ difference: '−6.0 [−6.0, −6.0]', verdict: 'lower' });
    expect(rowOf(tasks, 'One-shot success, won on turn 1')?.verdict).toBe('not distinguishable');
  });

  it('averages samples within their task', () => {
    const tasks = Array.from({ length: 30 }, (_, number) =>
      taskOf(number, { successes: 2 }, { successes: 6 }),
    );
    expect(behaviourShift(tasks, 'samples')[0]).toMatchObject({
      name: 'Success',
      a: '25.0 [25.0, 25.0]',
      b: '75.0 [75.0, 75.0]',
      verdict: 'higher',
    });
  });

  it('leaves out tasks of one step, and turns that cannot be judged', () => {
    const tasks = [taskOf(0, {}, null), taskOf(1, { listedTurns: 0 }, { listedTurns: 0 })];
    expect(pairedTasks(tasks, 'greedy').map(({ taskId }) => taskId)).toEqual(['t1']);
    expect(rowOf(tasks, 'Grounded actions')).toMatchObject({ n: 0, a: 'n/a', verdict: 'n/a' });
    expect(behaviourShift([taskOf(0, {}, null)], 'greedy')).toEqual([]);
  });

  it('names what became of a task', () => {
    expect(
      [
        taskOf(0, {}, won),
        taskOf(0, won, {}),
        taskOf(0, won, won),
        taskOf(0, {}, {}),
        taskOf(0, {}, null),
      ].map(changeOf),
    ).toEqual(['gained', 'lost', 'both', 'neither', 'unpaired']);
  });
});
