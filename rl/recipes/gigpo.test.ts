import { describe, expect, it } from 'vitest';
import { GIGPO_PRESETS } from '@/contract/recipes/gigpo-presets';
import type { RewardSettings } from '@/contract/recipes/policy-settings';
import { scoreGroup, turnRewards } from './gigpo';
import { playedEpisode } from './testing/played';

const plain: RewardSettings = {
  outcome: 'won',
  scale: 10,
  invalidActionPenalty: 0,
  formatPenalty: 0.1,
  formatReward: 0,
};

describe('rewards of turns', () => {
  it('give the win to the last turn, and each turn its own penalties', () => {
    const { trajectory } = playedEpisode({ success: true }, [{}, { formatOk: false }, {}]);
    expect(turnRewards(trajectory, plain)).toEqual([0, -0.1, 10]);
    const lost = playedEpisode({}, [{}, {}]).trajectory;
    expect(turnRewards(lost, plain)).toEqual([0, 0]);
    expect(turnRewards(lost, { ...plain, outcome: 'won-or-lost' })).toEqual([0, -10]);
  });

  it('are the environment’s where the config asks for them', () => {
    const { trajectory } = playedEpisode({}, [{ reward: 0.25 }, { reward: 0, valid: false }]);
    const settings = { ...plain, outcome: 'environment' as const, scale: 2, invalidActionPenalty: 0.5 };
    expect(turnRewards(trajectory, settings)).toEqual([0.5, -0.5]);
  });
});

describe('a group', () => {
  const start = { observation: 'start' };
  const group = () => [
    playedEpisode({ success: true }, [start, { observation: 'left' }]),
    playedEpisode({}, [start, { observation: 'right' }]),
  ];
  const config = {
    ...GIGPO_PRESETS.small,
    reward: { ...plain, scale: 1, formatPenalty: 0 },
    advantage: { ...GIGPO_PRESETS.small.advantage, discount: 0.5 },
  };
  const advantagesOf = (stepWeight: number) =>
    scoreGroup(group(), { ...config, advantage: { ...config.advantage, stepWeight } }).map(
      ({ advantages }) => advantages,
    );

  it('compares turns that saw the same by what followed them, a lone one by its episode alone', () => {
    // Episode: 1 and 0 over four rows, mean 1/2. Returns at the start: 0.5 and 0, mean 1/4; the other turns are alone.
    expect(advantagesOf(1)).toEqual([
      [0.5 + 0.25, 0.5],
      [-0.5 - 0.25, -0.5],
    ]);
  });

  it('is what GRPO over turns says of it where the state’s part weighs nothing', () => {
    expect(advantagesOf(0)).toEqual([
      [0.5, 0.5],
      [-0.5, -0.5],
    ]);
  });
});
