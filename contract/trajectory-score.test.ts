import { describe, expect, it } from 'vitest';
import type { RewardSettings } from './recipes/policy-settings';
import { scoresOf, type Scorable } from './trajectory-score';

const plain: RewardSettings = {
  outcome: 'environment',
  scale: 1,
  invalidActionPenalty: 0,
  formatPenalty: 0,
  formatReward: 0,
};

function played(reward: number, success: boolean, turns: Partial<Scorable['turns'][number]>[]): Scorable {
  return { reward, success, turns: turns.map((turn) => ({ valid: true, formatOk: true, ...turn })) };
}

const trajectory = played(0.8, true, [{}, { valid: false }, { valid: false, formatOk: false }]);

describe('scores of a trajectory', () => {
  it('are its outcome less its penalties', () => {
    expect(scoresOf(trajectory, plain, 'trajectories')).toEqual([0.8]);
    const [score] = scoresOf(trajectory, { ...plain, invalidActionPenalty: 0.1 }, 'trajectories');
    expect(score).toBeCloseTo(0.8 - 2 * 0.1, 12);
    expect(scoresOf(trajectory, { ...plain, outcome: 'won', scale: 10 }, 'trajectories')).toEqual([10]);
  });

  it('are one a turn with the turn’s own penalties, as verl-agent has them', () => {
    const verlAgent = { ...plain, outcome: 'won' as const, scale: 10, formatPenalty: 0.1 };
    expect(scoresOf(trajectory, verlAgent, 'turns')).toEqual([10, 10, 9.9]);
  });

  it('are ±1 for the outcome and ±0.5 for the format, as the BabyAI-Text line has them', () => {
    const settings = { ...plain, outcome: 'won-or-lost' as const, formatReward: 0.5 };
    const lost = played(0, false, [{}]);
    expect(scoresOf(trajectory, settings, 'trajectories')).toEqual([0.5]);
    expect(scoresOf(lost, settings, 'trajectories')).toEqual([-0.5]);
    const garbled = played(0, false, [{ formatOk: false }]);
    expect(scoresOf(garbled, settings, 'trajectories')).toEqual([-1.5]);
  });
});
