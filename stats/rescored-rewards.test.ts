import { describe, expect, it } from 'vitest';
import type { RewardFormula } from '@/contract/rewards';
import { rescore, rewardUnder, totalOf, type StoredReward } from './rescored-rewards';

const WON: RewardFormula = {
  outcome: 'won',
  scale: 10,
  invalidActionPenalty: 0.5,
  formatPenalty: 0,
  formatReward: 0,
  over: 'trajectories',
};

function stored(changes: Partial<StoredReward> = {}): StoredReward {
  const turns = [
    { valid: true, formatOk: true },
    { valid: false, formatOk: true },
  ];
  return {
    reward: 0.3,
    success: false,
    turns,
    group: 0,
    stopReason: 'failure',
    shapedReward: 0.3,
    ...changes,
  };
}

describe('a reward under another formula', () => {
  it('is the outcome less the penalties, or the mean of what each turn scores', () => {
    expect(rewardUnder(stored({ success: true }), WON)).toBe(9.5);
    expect(rewardUnder(stored({ success: true }), { ...WON, over: 'turns' })).toBe(9.75);
  });

  it('is none for a trajectory that ended in an error, and for one without a turn whose turns are scored', () => {
    expect(rewardUnder(stored({ stopReason: 'error' }), WON)).toBeNull();
    expect(rewardUnder(stored({ turns: [] }), { ...WON, over: 'turns' })).toBeNull();
  });

  it('is none where what the formula needs is not stated, and asks for nothing else', () => {
    expect(rewardUnder(stored({ success: null }), WON)).toBeNull();
    expect(rewardUnder(stored({ reward: null, success: true }), WON)).toBe(9.5);
    expect(rewardUnder(stored({ reward: null }), { ...WON, outcome: 'environment' })).toBeNull();
    expect(rewardUnder(stored({ success: null }), { ...WON, outcome: 'environment' })).toBe(2.5);
  });
});

describe('the trajectories of a step', () => {
  it('have means and groups without variance under both, counted over those that have a reward', () => {
    const step = rescore(
      [
        // Apart as recorded, alike under the formula.
        stored({ shapedReward: 0.1 }),
        stored({ shapedReward: 0.2 }),
        // The other way round.
        stored({ group: 1, success: true }),
        stored({ group: 1 }),
        // Alone in its group once the other one has failed.
        stored({ group: 2, shapedReward: null }),
        stored({ group: 2, stopReason: 'error' }),
      ],
      WON,
    );
    expect(step).toMatchObject({ n: 5, errors: 1 });
    expect(step.old).toMatchObject({ n: 4, groups: 2, degenerateGroups: 1 });
    expect(step.old.mean).toBeCloseTo(0.225, 12);
    expect(step.new).toMatchObject({ n: 5, groups: 2, degenerateGroups: 1 });
    expect(step.new.mean).toBeCloseTo((-0.5 * 4 + 9.5) / 5, 12);
  });

  it('that are in no group, as those of evaluations, have no share of groups', () => {
    expect(rescore([stored({ group: null })], WON).new).toMatchObject({
      n: 1,
      groups: 0,
      degenerateGroups: 0,
    });
  });
});

it('A total weighs each trajectory alike, whatever its step, and has no mean of nothing', () => {
  const one = rescore([stored({ shapedReward: 1 })], WON);
  const three = rescore(
    [0, 0, 0].map((shapedReward) => stored({ shapedReward })),
    WON,
  );
  expect(totalOf([one, three])).toMatchObject({ n: 4, old: { n: 4, mean: 0.25, groups: 1 } });
  expect(totalOf([])).toMatchObject({ n: 0, old: { mean: null }, new: { mean: null } });
});
