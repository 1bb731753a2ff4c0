import { describe, expect, it } from 'vitest';
import { createBabyAi } from './babyai';
import { playControl, type ControlName } from './controls';
import { splitTasks } from './splits';
import { babyAiTask } from './task';

const environment = createBabyAi();

function successRate(control: ControlName, split: 'valid_seen' | 'valid_unseen'): number {
  const outcomes = playControl(environment, splitTasks(split), control, 1);
  return outcomes.filter(({ success }) => success).length / outcomes.length;
}

describe('controls on all of valid_seen at ten turns', () => {
  it.each([
    { control: 'random', low: 0.28, high: 0.37 },
    { control: 'look-around', low: 0.79, high: 0.83 },
    { control: 'planner', low: 0.98, high: 0.995 },
  ] as const)(
    '$control succeeds on $low to $high of the tasks',
    { timeout: 60_000 },
    ({ control, low, high }) => {
      const rate = successRate(control, 'valid_seen');
      expect(rate).toBeGreaterThan(low);
      expect(rate).toBeLessThan(high);
    },
  );
});

describe('playControl', () => {
  it('plays what cannot be won to the turn cap', () => {
    const [outcome] = playControl(environment, [babyAiTask('KeyInBox', 0, 'train')], 'planner', 1);
    expect(outcome).toMatchObject({ success: false, turns: 10, invalidActions: 0 });
  });

  it('repeats itself for a seed, whatever other tasks are played', () => {
    const tasks = splitTasks('valid_seen', 14);
    const together = playControl(environment, tasks, 'random', 3);
    expect(playControl(environment, tasks, 'random', 3)).toEqual(together);
    expect(playControl(environment, tasks.slice(7), 'random', 3)).toEqual(together.slice(7));
    expect(playControl(environment, tasks, 'random', 4)).not.toEqual(together);
  });

  it('takes offered actions only', () => {
    for (const control of ['random', 'look-around', 'planner'] as const) {
      const outcomes = playControl(environment, splitTasks('valid_unseen', 20), control, 1);
      expect(outcomes.reduce((sum, { invalidActions }) => sum + invalidActions, 0)).toBe(0);
      expect(outcomes.every(({ turns, success, reward }) => turns <= 10 && success === reward > 0)).toBe(
        true,
      );
    }
  });
});
