import { describe, expect, it } from 'vitest';
import { BABYAI_DEFAULTS } from '@/contract/environments/babyai';
import type { Control } from '../suite';
import { splitTasks } from './splits';
import { openBabyAi } from './suite';
import { babyAiTask, type BabyAiTask } from './task';

const POLICIES = ['random_offered_action', 'look_around_script', 'full_knowledge_planner'] as const;
const { controls } = openBabyAi(BABYAI_DEFAULTS);

function play(policy: Control['policy'], tasks: readonly BabyAiTask[], seed = 1) {
  const control = controls.find((each) => each.policy === policy);
  if (!control) throw new Error(`BabyAI has no control ${policy}`);
  return control.play(tasks, seed);
}

describe('controls on all of valid_seen at ten turns', () => {
  it.each([
    { policy: 'random_offered_action', low: 0.28, high: 0.37 },
    { policy: 'look_around_script', low: 0.79, high: 0.83 },
    { policy: 'full_knowledge_planner', low: 0.98, high: 0.995 },
  ] as const)(
    '$policy succeeds on $low to $high of the tasks',
    { timeout: 60_000 },
    ({ policy, low, high }) => {
      const outcomes = play(policy, splitTasks('valid_seen'));
      const rate = outcomes.filter(({ success }) => success).length / outcomes.length;
      expect(rate).toBeGreaterThan(low);
      expect(rate).toBeLessThan(high);
    },
  );
});

describe('a control', () => {
  it('plays what cannot be won to the turn cap', () => {
    const [outcome] = play('full_knowledge_planner', [babyAiTask('KeyInBox', 0, 'train')]);
    expect(outcome).toMatchObject({ success: false, turns: 10, invalidActions: 0 });
  });

  it('repeats itself for a seed, whatever other tasks are played', () => {
    const tasks = splitTasks('valid_seen', 14);
    const together = play('random_offered_action', tasks, 3);
    expect(play('random_offered_action', tasks, 3)).toEqual(together);
    expect(play('random_offered_action', tasks.slice(7), 3)).toEqual(together.slice(7));
    expect(play('random_offered_action', tasks, 4)).not.toEqual(together);
  });

  it('takes offered actions only', () => {
    for (const policy of POLICIES) {
      const outcomes = play(policy, splitTasks('valid_unseen', 20));
      expect(outcomes.reduce((sum, { invalidActions }) => sum + invalidActions, 0)).toBe(0);
      expect(outcomes.every(({ turns, success, reward }) => turns <= 10 && success === reward > 0)).toBe(
        true,
      );
    }
  });
});
