import { describe, expect, it } from 'vitest';
import {
  advantagesByGroup,
  groupAdvantages,
  isDegenerate,
  isNegligible,
  leaveOneOutAdvantages,
  type AdvantageSettings,
} from './advantages';

const EVERY: AdvantageSettings[] = [
  { scale: 'none' },
  { scale: 'none', singleton: 'raw' },
  { scale: 'std' },
  { scale: 'std', deviation: 'population', epsilon: 1e-4, singleton: 'zero' },
];
const REWARDS = [0.3, -0.2, 0.91, 0.05, 0.4];

const sumOf = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

describe('group advantages', () => {
  it('are the reward less the mean', () => {
    expect(groupAdvantages([1, 0, 0.5, 0.5], { scale: 'none' })).toEqual([0.5, -0.5, 0, 0]);
  });

  it('divide by the sample standard deviation where asked', () => {
    const [up, down] = groupAdvantages([1, 0], { scale: 'std' });
    expect(up).toBeCloseTo(0.5 / (Math.SQRT1_2 + 1e-6), 12);
    expect(down).toBeCloseTo(-0.5 / (Math.SQRT1_2 + 1e-6), 12);
  });

  it('divide by that over n and another epsilon where asked', () => {
    const [up] = groupAdvantages([1, 0], { scale: 'std', deviation: 'population', epsilon: 0.5 });
    expect(up).toBe(0.5);
  });

  it.each(EVERY)('sum to zero with %j', (settings) => {
    expect(sumOf(groupAdvantages(REWARDS, settings))).toBeCloseTo(0, 12);
  });

  it.each(EVERY)('follow their rewards into any order with %j', (settings) => {
    const order = [3, 0, 4, 1, 2];
    const advantages = groupAdvantages(REWARDS, settings);
    const moved = groupAdvantages(
      order.map((i) => REWARDS[i] ?? NaN),
      settings,
    );
    order.forEach((i, place) => expect(moved[place]).toBeCloseTo(advantages[i] ?? NaN, 12));
  });

  it('do not change with the scale and origin of rewards once divided by their deviation', () => {
    const advantages = groupAdvantages(REWARDS, { scale: 'std', epsilon: 0 });
    const stretched = groupAdvantages(
      REWARDS.map((reward) => 10 * reward - 3),
      { scale: 'std', epsilon: 0 },
    );
    stretched.forEach((advantage, i) => expect(advantage).toBeCloseTo(advantages[i] ?? NaN, 12));
  });

  it('give a group of one what the source gives it', () => {
    expect(groupAdvantages([3], { scale: 'none' })).toEqual([0]);
    expect(groupAdvantages([3], { scale: 'none', singleton: 'raw' })).toEqual([3]);
    expect(groupAdvantages([3], { scale: 'std' })).toEqual([3 / (1 + 1e-6)]);
    expect(groupAdvantages([3], { scale: 'std', singleton: 'zero' })).toEqual([0]);
  });

  it('of no rewards are none', () => {
    expect(groupAdvantages([], { scale: 'std' })).toEqual([]);
  });
});

describe('advantages of a batch', () => {
  const rewards = [1, 10, 0, 20, 1];
  const groupIds = ['a', 'b', 'a', 'b', 'a'];

  it('are those of each group, wherever its rows stand', () => {
    expect(advantagesByGroup({ rewards, groupIds }, { scale: 'none' })).toEqual([
      expect.closeTo(1 / 3),
      -5,
      expect.closeTo(-2 / 3),
      5,
      expect.closeTo(1 / 3),
    ]);
  });

  it('count a trajectory once where its rows are named', () => {
    const trajectoryIds = ['t1', 'u1', 't2', 'u2', 't1'];
    const byTrajectory = advantagesByGroup({ rewards, groupIds, trajectoryIds }, { scale: 'none' });
    expect(byTrajectory).toEqual([0.5, -5, -0.5, 5, 0.5]);
  });

  it('of one trajectory with many rows are those of a group of one', () => {
    const one = { rewards: [2, 2], groupIds: [0, 0], trajectoryIds: [7, 7] };
    expect(advantagesByGroup(one, { scale: 'none', singleton: 'raw' })).toEqual([2, 2]);
  });

  it('name the list whose length is wrong', () => {
    expect(() => advantagesByGroup({ rewards, groupIds: ['a'] }, { scale: 'none' })).toThrow(
      'groupIds has 1 entries for 5 rewards',
    );
  });
});

describe('leave-one-out advantages', () => {
  it('are the reward less the mean of the others', () => {
    expect(leaveOneOutAdvantages([1, 0, 0.5])).toEqual([0.75, -0.75, 0]);
    expect(leaveOneOutAdvantages([0.7])).toEqual([0.7]);
  });
});

describe('a group that teaches nothing', () => {
  it('is one whose rewards agree up to rounding', () => {
    expect(isDegenerate([0.1 + 0.2, 0.3, 0.3])).toBe(true);
    expect(isDegenerate([0.3, 0.3, 0.3001])).toBe(false);
  });

  it('has advantages of 1e-12 at most', () => {
    expect(isNegligible(-1e-12)).toBe(true);
    expect(isNegligible(1.0000001e-12)).toBe(false);
  });
});
