import { z } from 'zod';
import {
  advantagesByGroup,
  groupAdvantages,
  isDegenerate,
  leaveOneOutAdvantages,
  type AdvantageSettings,
} from '@/rl/learning/advantages';
import { hasUnequalRewards } from '@/rl/learning/dynamic-sampling';
import { indicesByGroup } from '@/rl/learning/grouping';
import { sumOf } from '@/rl/learning/moments';
import { broadcast, Double, Ids, Tensor, Vector } from '../tensors';
import { vectorFunction } from '../vector-function';

/** The score of a row is the sum of all its tokens' rewards, masked or not. */
export const SCORED_ROWS = {
  token_level_rewards: Tensor,
  response_mask: Tensor,
  group_ids: Ids,
  epsilon: Double,
};

export const scaleOf = (byStd: boolean): AdvantageSettings['scale'] => (byStd ? 'std' : 'none');

export const GROUP_ADVANTAGES = [
  vectorFunction(
    'verl_compute_grpo_outcome_advantage',
    { ...SCORED_ROWS, norm_adv_by_std_in_grpo: z.boolean() },
    ({ token_level_rewards, response_mask, group_ids, epsilon, norm_adv_by_std_in_grpo }) => {
      const advantages = advantagesByGroup(
        { rewards: token_level_rewards.map(sumOf), groupIds: group_ids },
        { scale: scaleOf(norm_adv_by_std_in_grpo), epsilon, singleton: 'raw' },
      );
      return { advantages: broadcast(advantages, response_mask) };
    },
  ),

  vectorFunction(
    'agentgymrl_compute_grpo_outcome_advantage',
    SCORED_ROWS,
    ({ token_level_rewards, response_mask, group_ids, epsilon }) => {
      const advantages = advantagesByGroup(
        { rewards: token_level_rewards.map(sumOf), groupIds: group_ids },
        { scale: 'std', epsilon },
      );
      return { advantages: broadcast(advantages, response_mask) };
    },
  ),

  vectorFunction(
    'verlagent_compute_grpo_outcome_advantage',
    {
      ...SCORED_ROWS,
      traj_ids: Ids,
      norm_adv_by_std_in_grpo: z.boolean(),
      compute_mean_std_cross_steps: z.boolean(),
    },
    (inputs) => {
      const advantages = advantagesByGroup(
        {
          rewards: inputs.token_level_rewards.map(sumOf),
          groupIds: inputs.group_ids,
          trajectoryIds: inputs.compute_mean_std_cross_steps ? undefined : inputs.traj_ids,
        },
        { scale: scaleOf(inputs.norm_adv_by_std_in_grpo), epsilon: inputs.epsilon, singleton: 'raw' },
      );
      // The files record the source's number type, which is the only one here.
      return { advantages: broadcast(advantages, inputs.response_mask), dtype: 'torch.float64' };
    },
  ),

  vectorFunction(
    'agenticrllab_dapo_assign_group_advantages',
    { rewards: Vector, epsilon: Double },
    ({ rewards, epsilon }) => ({
      advantages: groupAdvantages(rewards, { scale: 'std', epsilon, singleton: 'zero' }),
    }),
  ),

  vectorFunction(
    'agenticrllab_alfworld_assign_advantages',
    { group_ids: Ids, rewards: Vector },
    ({ group_ids, rewards }) => {
      const groups = [...indicesByGroup(group_ids).values()];
      return {
        advantages: advantagesByGroup({ rewards, groupIds: group_ids }, { scale: 'none' }),
        groups: groups.length,
        degenerate_groups: groups.filter((rows) => isDegenerate(rows.map((row) => rewards[row] ?? NaN)))
          .length,
      };
    },
  ),

  vectorFunction(
    'rllm_calculate_grpo_advantages_per_group',
    { rewards: Vector, epsilon: Double },
    ({ rewards, epsilon }) => ({
      grpo_std: groupAdvantages(rewards, { scale: 'std', deviation: 'population', epsilon }),
      grpo_nostd: groupAdvantages(rewards, { scale: 'none', singleton: 'raw' }),
      rloo: leaveOneOutAdvantages(rewards),
    }),
  ),

  vectorFunction(
    'tinkercookbook_compute_advantages',
    { groups: z.array(z.object({ step_rewards: Tensor, final_rewards: Vector })) },
    ({ groups }) => {
      const totals = groups.map(({ step_rewards, final_rewards }) =>
        step_rewards.map((rewards, trajectory) => sumOf(rewards) + (final_rewards[trajectory] ?? NaN)),
      );
      const differing = [...totals.keys()].filter((group) => hasUnequalRewards(totals[group] ?? []));
      return {
        total_rewards: totals,
        advantages: totals.map((rewards) => groupAdvantages(rewards, { scale: 'none' })),
        // The cookbook never trains on nothing: where every group is constant it keeps the first.
        kept_groups_by_remove_constant_reward_groups:
          differing.length > 0 ? differing : [...totals.keys()].slice(0, 1),
      };
    },
  ),
];
