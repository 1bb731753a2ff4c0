import { expect, it } from 'vitest';
import { playedEpisode } from '@/rl/recipes/testing/played';
import type { Trajectory } from '@/contract/trajectory';
import { rolloutMetrics } from './rollout-metrics';

const won = playedEpisode({ success: true, reward: 0.5, shapedReward: 2 }, [{}]).trajectory;
const lost = playedEpisode({ success: false, reward: 0 }, [{}, {}]).trajectory;
const unscored: Trajectory = { ...lost, success: null, reward: null };

it('are means over trajectories, the reward learned from before the environment’s', () => {
  expect(rolloutMetrics([won, lost])).toMatchObject({
    'reward/mean': 1,
    'reward/environment_mean': 0.25,
    'rollout/success_rate': 0.5,
    'rollout/turns_mean': 1.5,
  });
});

it('leave out of a mean what a trajectory does not state, and the mean where none states it', () => {
  expect(rolloutMetrics([won, unscored, unscored])).toMatchObject({
    'reward/mean': 2,
    'reward/environment_mean': 0.5,
    'rollout/success_rate': 1,
  });
  const names = Object.keys(rolloutMetrics([unscored]));
  expect(names).toContain('rollout/turns_mean');
  for (const name of ['reward/mean', 'reward/environment_mean', 'rollout/success_rate'])
    expect(names).not.toContain(name);
});
