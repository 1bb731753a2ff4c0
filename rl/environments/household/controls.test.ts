import { describe, expect, it } from 'vitest';
import { CONTROL_NAMES, playControl, type ControlName } from './controls';
import { createHousehold } from './household';
import { splitTasks } from './splits';

const environment = createHousehold();

describe('controls on valid_seen', () => {
  it.each([
    { control: 'random', low: 0, high: 0.02 },
    { control: 'search', low: 0.88, high: 0.96 },
    { control: 'planner', low: 1, high: 1 },
  ] as const)('$control succeeds on $low to $high of the tasks', ({ control, low, high }) => {
    const outcomes = playControl(environment, splitTasks('valid_seen', 120), control, 1);
    const rate = outcomes.filter(({ success }) => success).length / outcomes.length;
    expect(rate).toBeGreaterThanOrEqual(low);
    expect(rate).toBeLessThanOrEqual(high);
  });
});

describe('playControl', () => {
  it('repeats itself for a seed, whatever other tasks are played', () => {
    const play = (tasks: ReturnType<typeof splitTasks>, seed: number, control: ControlName) =>
      playControl(environment, tasks, control, seed).map(({ turns, reward }) => [turns, reward]);
    const tasks = splitTasks('valid_unseen', 12);
    for (const control of CONTROL_NAMES) {
      const together = play(tasks, 3, control);
      expect(play(tasks, 3, control)).toEqual(together);
      expect(play(tasks.slice(6), 3, control)).toEqual(together.slice(6));
    }
  });

  it('takes offered actions only', () => {
    for (const control of CONTROL_NAMES)
      for (const outcome of playControl(environment, splitTasks('valid_unseen', 24), control, 1)) {
        expect(outcome.invalidActions).toBe(0);
        expect(outcome.turns).toBeLessThanOrEqual(16);
        expect(outcome.success).toBe(outcome.reward > 0);
      }
  });
});
