import { z } from 'zod';
import { farthestPoints, strataAdvantages, topCount } from '@/rl/learning/strata';
import { Double, Tensor } from '../tensors';
import { vectorFunction } from '../vector-function';

export const STRATA = [
  vectorFunction(
    'strata_farthest_point_selection',
    { embeddings: Tensor, n_select: z.int(), first: z.int() },
    ({ embeddings, n_select, first }) => ({ selected: farthestPoints(embeddings, n_select, first) }),
  ),

  vectorFunction(
    'strata_top_delta_strategy_reward',
    { rollout_rewards_per_strategy: Tensor, delta: Double },
    ({ rollout_rewards_per_strategy, delta }) => {
      const { strategyRewards, strategies, actions } = strataAdvantages(rollout_rewards_per_strategy, delta);
      return {
        top_k: rollout_rewards_per_strategy.map(({ length }) => topCount(length, delta)),
        strategy_rewards: strategyRewards,
        strategy_advantages: strategies,
        action_advantages: actions,
      };
    },
  ),
];
