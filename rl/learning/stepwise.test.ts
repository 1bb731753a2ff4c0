import { describe, expect, it } from 'vitest';
import { groupSizeHistogram } from './grouping';
import { lastTurnAdvantages, perTurnAdvantages, turnGroupId, type SteppedTrajectory } from './stepwise';

const trajectory = (reward: number, ...turnRewards: number[]): SteppedTrajectory => ({
  taskId: 't',
  name: 'agent',
  reward,
  turnRewards,
});

describe('advantages per turn', () => {
  const trajectories = [trajectory(1, 1, 3), trajectory(0, 0, 1, 7)];

  it('compare the same turn of all rollouts, and leave a turn that one alone reached its reward', () => {
    expect(perTurnAdvantages(trajectories, 'none')).toEqual([
      [0.5, 1],
      [-0.5, -1, 7],
    ]);
  });

  it('keep tasks and names apart', () => {
    const other = { ...trajectory(0, 0), name: 'strategy' };
    expect(perTurnAdvantages([trajectory(1, 1), other], 'none')).toEqual([[1], [0]]);
  });

  it('show by their groups how many have nothing to compare', () => {
    const ids = trajectories.flatMap((each) => each.turnRewards.map((_, turn) => turnGroupId(each, turn)));
    expect(groupSizeHistogram(ids)).toEqual([
      { size: 1, groups: 1 },
      { size: 2, groups: 2 },
    ]);
  });
});

describe('advantages of the last turn', () => {
  const trajectories = [trajectory(1, 0, 0), trajectory(0, 0, 0), trajectory(1, 0)];

  it('compare rollouts of as many turns', () => {
    expect(lastTurnAdvantages(trajectories, { scale: 'none', divideByTurns: false })).toEqual([0.5, -0.5, 1]);
  });

  it('are shared among the turns where asked', () => {
    expect(lastTurnAdvantages(trajectories, { scale: 'none', divideByTurns: true })).toEqual([
      0.25, -0.25, 1,
    ]);
  });
});
