import { describe, expect, it } from 'vitest';
import { farthestPoints, selfJudgedRewards, strataAdvantages, strategyReward, topCount } from './strata';

describe('strategies that lie far apart', () => {
  /** Unit vectors at these degrees. */
  const at = (...degrees: number[]) =>
    degrees.map((degree) => [Math.cos((degree * Math.PI) / 180), Math.sin((degree * Math.PI) / 180)]);

  it('are chosen one after the other, always the farthest from its nearest chosen one', () => {
    expect(farthestPoints(at(0, 10, 180, 100, 95), 4, 0)).toEqual([0, 2, 4, 1]);
    expect(farthestPoints(at(0, 10, 180, 100, 95), 3, 1)).toEqual([1, 2, 4]);
  });

  it('are the first of equally far ones', () => {
    expect(
      farthestPoints(
        [
          [1, 0],
          [0, 1],
          [0, -1],
        ],
        2,
        0,
      ),
    ).toEqual([0, 1]);
    expect(
      farthestPoints(
        [
          [1, 0],
          [1, 0],
          [1, 0],
        ],
        3,
        1,
      ),
    ).toEqual([1, 0, 2]);
  });

  it('can be no more than there are', () => {
    expect(() => farthestPoints(at(0, 90), 3, 0)).toThrow('count is 3; expected 1 to 2');
    expect(() => farthestPoints(at(0, 90), 1, 2)).toThrow('first is 2');
    expect(() => farthestPoints([], 1, 0)).toThrow('first is 0');
  });
});

describe('the reward of a strategy', () => {
  it('is the mean of its best trajectories, rounded up', () => {
    expect([topCount(8, 0.5), topCount(3, 0.5), topCount(3, 0), topCount(4, 1)]).toEqual([4, 2, 1, 4]);
    expect(strategyReward([1, 0, 0, 0.5], 0.5)).toBe(0.75);
    expect(strategyReward([1, 0, 0.2], 1)).toBeCloseTo(0.4, 12);
  });

  it('needs trajectories and a fraction', () => {
    expect(() => strategyReward([], 0.5)).toThrow('no trajectories');
    expect(() => strategyReward([1], 1.5)).toThrow('delta is 1.5');
  });
});

describe('advantages of StraTA', () => {
  it('compare strategies of a task, and trajectories of a strategy', () => {
    const { strategyRewards, strategies, actions } = strataAdvantages(
      [
        [1, 0],
        [0, 0],
      ],
      0.5,
    );
    expect(strategyRewards).toEqual([1, 0]);
    expect(strategies[0]).toBeCloseTo(0.5 / (Math.SQRT1_2 + 1e-6), 12);
    expect(actions[0]?.[0]).toBeCloseTo(0.5 / (Math.SQRT1_2 + 1e-6), 12);
    expect(actions[1]).toEqual([0, 0]);
  });
});

describe('self-judgment', () => {
  it('costs the named turns and rewards none', () => {
    expect(selfJudgedRewards(1, 4, [1, 3, 3, 9, -1], 0.25)).toEqual([1, 0.75, 1, 0.75]);
  });
});
