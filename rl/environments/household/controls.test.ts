import { describe, expect, it } from 'vitest';
import { HOUSEHOLD_DEFAULTS } from '@/contract/environments/household';
import { splitTasks } from './splits';
import { openHousehold } from './suite';

const { controls } = openHousehold(HOUSEHOLD_DEFAULTS);

describe('controls on valid_seen', () => {
  it.each([
    { policy: 'random_offered_action', low: 0, high: 0.02 },
    { policy: 'look_around_script', low: 0.93, high: 1 },
    { policy: 'full_knowledge_planner', low: 1, high: 1 },
  ])('$policy succeeds on $low to $high of the tasks, by offered actions alone', ({ policy, low, high }) => {
    const control = controls.find((candidate) => candidate.policy === policy);
    const outcomes = control?.play(splitTasks('valid_seen', 120), 1) ?? [];
    expect(outcomes).toHaveLength(120);
    const rate = outcomes.filter(({ success }) => success).length / outcomes.length;
    expect(rate).toBeGreaterThanOrEqual(low);
    expect(rate).toBeLessThanOrEqual(high);
    for (const outcome of outcomes) {
      expect(outcome.invalidActions).toBe(0);
      expect(outcome.turns).toBeLessThanOrEqual(HOUSEHOLD_DEFAULTS.maxTurns);
      expect(outcome.success).toBe(outcome.reward > 0);
    }
  });
});
