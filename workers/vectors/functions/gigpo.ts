import { z } from 'zod';
import { anchorGroups, episodeAdvantages, gigpoAdvantages, stateAdvantages } from '@/rl/learning/gigpo';
import { discountedReturns } from '@/rl/learning/returns';
import { textSimilarity } from '@/rl/learning/text-similarity';
import { sumOf } from '@/rl/learning/moments';
import { broadcast, Double, Ids, Tensor, Vector } from '../tensors';
import { vectorFunction } from '../vector-function';
import { SCORED_ROWS, scaleOf } from './group-advantages';

const SIMILARITY = { enable_similarity: z.boolean(), similarity_thresh: Double.optional() };

/** verl-agent's default. */
const THRESHOLD = 0.95;

function thresholdOf(inputs: {
  enable_similarity?: boolean;
  similarity_thresh?: number;
}): number | undefined {
  return inputs.enable_similarity ? (inputs.similarity_thresh ?? THRESHOLD) : undefined;
}

export const GIGPO = [
  vectorFunction(
    'verlagent_gigpo_episode_norm_reward',
    { ...SCORED_ROWS, traj_ids: Ids, remove_std: z.boolean(), compute_mean_std_cross_steps: z.boolean() },
    (inputs) => {
      const advantages = episodeAdvantages(
        {
          rewards: inputs.token_level_rewards.map(sumOf),
          groupIds: inputs.group_ids,
          trajectoryIds: inputs.compute_mean_std_cross_steps ? undefined : inputs.traj_ids,
        },
        { scale: scaleOf(!inputs.remove_std), epsilon: inputs.epsilon },
      );
      return { episode_advantages: broadcast(advantages, inputs.response_mask) };
    },
  ),

  vectorFunction(
    'verlagent_gigpo_step_norm_reward',
    {
      step_returns: Vector,
      response_mask: Tensor,
      step_group: z.array(z.int()),
      epsilon: Double,
      remove_std: z.boolean(),
    },
    ({ step_returns, response_mask, step_group, epsilon, remove_std }) => {
      const advantages = stateAdvantages(step_returns, step_group, { scale: scaleOf(!remove_std), epsilon });
      return { step_advantages: broadcast(advantages, response_mask) };
    },
  ),

  // One file holds both the groups and the similarity that makes them.
  vectorFunction(
    'verlagent_gigpo_build_step_group',
    {
      anchor_obs: z.array(z.string()).optional(),
      group_ids: Ids.optional(),
      enable_similarity: z.boolean().optional(),
      similarity_thresh: Double.optional(),
      pairs: z.array(z.tuple([z.string(), z.string()])).optional(),
    },
    ({ anchor_obs, group_ids, pairs, ...similarity }) => {
      const ratios = pairs?.map(([first, second]) => textSimilarity(first, second));
      return {
        ...(anchor_obs && {
          step_group: anchorGroups(anchor_obs, group_ids ?? [], thresholdOf(similarity)),
        }),
        ...(ratios && { ratios, similar_0_95: ratios.map((ratio) => ratio >= THRESHOLD) }),
      };
    },
  ),

  vectorFunction(
    'verlagent_gigpo_compute_step_discounted_returns',
    { step_rewards: Vector, traj_ids: Ids, gamma: Double },
    ({ step_rewards, traj_ids, gamma }) => ({ returns: discountedReturns(step_rewards, traj_ids, gamma) }),
  ),

  vectorFunction(
    'verlagent_gigpo_compute_gigpo_outcome_advantage',
    {
      ...SCORED_ROWS,
      ...SIMILARITY,
      traj_ids: Ids,
      anchor_obs: z.array(z.string()),
      step_returns: Vector,
      step_advantage_w: Double,
      mode: z.enum(['mean_norm', 'mean_std_norm']),
    },
    (inputs) => {
      const advantages = gigpoAdvantages(
        {
          rewards: inputs.token_level_rewards.map(sumOf),
          groupIds: inputs.group_ids,
          anchors: inputs.anchor_obs,
          stepReturns: inputs.step_returns,
        },
        {
          scale: scaleOf(inputs.mode === 'mean_std_norm'),
          stepWeight: inputs.step_advantage_w,
          similarityThreshold: thresholdOf(inputs),
          epsilon: inputs.epsilon,
        },
      );
      return { advantages: broadcast(advantages, inputs.response_mask) };
    },
  ),
];
