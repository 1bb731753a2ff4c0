import { z } from 'zod';
import { inRewardKl, klEstimate, nextKlCoefficient, type KlEstimator } from '@/rl/learning/kl';
import { overlongPenalty, penaliseInvalid } from '@/rl/learning/reward-shaping';
import { tokenWeights } from '@/rl/learning/aggregation';
import { sumOf } from '@/rl/learning/moments';
import { Double, mapTensor, maskedMean, product, Tensor, Vector, type Matrix } from '../tensors';
import { vectorFunction } from '../vector-function';
import { KlName } from '../verl-names';

function klTensors(
  logprobs: Matrix,
  reference: Matrix,
  estimator: KlEstimator,
  maxLogRatio?: number,
): { kl: number[][]; gradient: number[][] } {
  const at = (logprob: number, row: number, t: number) =>
    klEstimate(logprob, reference[row]?.[t] ?? NaN, estimator, maxLogRatio);
  return {
    kl: mapTensor(logprobs, (...place) => at(...place).value),
    gradient: mapTensor(logprobs, (...place) => at(...place).gradient),
  };
}

const Flag = z.union([z.boolean(), Double]).transform(Boolean);

export const REWARDS = [
  vectorFunction(
    'verl_kl_penalty',
    { logprob: Tensor, ref_logprob: Tensor, kl_penalty: KlName },
    ({ logprob, ref_logprob, kl_penalty }) => {
      const { kl, gradient } = klTensors(logprob, ref_logprob, kl_penalty);
      return { kl, grad_logprob_of_sum: gradient };
    },
  ),

  vectorFunction(
    'agentgymrl_kl_penalty_k3',
    { logprob: Tensor, ref_logprob: Tensor, response_mask: Tensor, kl_penalty: KlName },
    ({ logprob, ref_logprob, response_mask, kl_penalty }) => {
      const { kl, gradient } = klTensors(logprob, ref_logprob, kl_penalty, Infinity);
      return {
        kl,
        masked_mean_kl: maskedMean(kl, response_mask),
        grad_logprob_of_masked_mean: product(tokenWeights(response_mask, 'token-mean'), gradient),
      };
    },
  ),

  vectorFunction(
    'verl_apply_kl_penalty',
    {
      response_mask: Tensor,
      token_level_scores: Tensor,
      old_log_probs: Tensor,
      ref_log_prob: Tensor,
      kl_penalty: KlName,
      kl_ctrl: z.object({
        type: z.enum(['fixed', 'adaptive']),
        kl_coef: Double,
        target_kl: Double.optional(),
        horizon: Double.optional(),
      }),
    },
    ({ response_mask, token_level_scores, old_log_probs, ref_log_prob, kl_penalty, kl_ctrl }) => {
      const { rewardsBT, kl } = inRewardKl(
        {
          rewardsBT: token_level_scores,
          logprobsBT: old_log_probs,
          referenceLogprobsBT: ref_log_prob,
          maskBT: response_mask,
        },
        { estimator: kl_penalty, coefficient: kl_ctrl.kl_coef },
      );
      const { target_kl: target = NaN, horizon = NaN } = kl_ctrl;
      const measured = { kl, sequences: response_mask.length };
      return {
        token_level_rewards: rewardsBT,
        metrics: { 'actor/reward_kl_penalty': kl, 'actor/reward_kl_penalty_coeff': kl_ctrl.kl_coef },
        kl_coef_after:
          kl_ctrl.type === 'fixed'
            ? kl_ctrl.kl_coef
            : nextKlCoefficient(kl_ctrl.kl_coef, measured, { target, horizon }),
      };
    },
  ),

  vectorFunction(
    'verl_dapo_overlong_reward',
    {
      response_lengths: z.array(z.int()),
      base_scores: Vector,
      max_resp_len: z.int(),
      overlong_buffer: z.object({ enable: z.boolean(), len: z.int(), penalty_factor: Double }),
    },
    ({ response_lengths, base_scores, max_resp_len, overlong_buffer: { enable, len, penalty_factor } }) => {
      const settings = {
        maxLength: max_resp_len,
        bufferLength: len,
        factor: penalty_factor,
        bounded: false,
      };
      // Where the buffer is off, the source adds nothing and logs nothing.
      const penalties = enable ? response_lengths.map((length) => overlongPenalty(length, settings)) : [];
      return {
        reward_per_sequence: base_scores.map((score, i) => score + (penalties[i] ?? 0)),
        reward_position: response_lengths.map((length) => length - 1),
        overlong_reward: penalties,
        overlong: penalties.map((penalty) => Number(penalty < 0)),
      };
    },
  ),

  vectorFunction(
    'agenticrllab_dapo_soft_overlong_penalty',
    { lengths: z.array(z.int()), max_tokens: z.int(), overlong_cache: z.int() },
    ({ lengths, max_tokens, overlong_cache }) => ({
      penalty: lengths.map((length) =>
        overlongPenalty(length, { maxLength: max_tokens, bufferLength: overlong_cache, bounded: true }),
      ),
    }),
  ),

  vectorFunction(
    'verlagent_apply_invalid_action_penalty',
    {
      token_level_scores: Tensor,
      response_attention_mask: Tensor,
      is_action_valid: z.array(Flag),
      coef: Double,
      step_rewards: Vector.optional(),
    },
    ({ token_level_scores, response_attention_mask, is_action_valid, coef, step_rewards }) => {
      const penalties = penaliseInvalid(
        is_action_valid.map(() => 0),
        is_action_valid,
        coef,
      );
      // On the last token of the reply; index -1, of an empty one, is torch's last column.
      const last = response_attention_mask.map((mask) => (sumOf(mask) || mask.length) - 1);
      return {
        token_level_scores: mapTensor(token_level_scores, (score, row, t) =>
          t === last[row] ? score + (penalties[row] ?? NaN) : score,
        ),
        metrics: {
          'episode/valid_action_ratio': sumOf(is_action_valid.map(Number)) / is_action_valid.length,
        },
        ...(step_rewards && { step_rewards: penaliseInvalid(step_rewards, is_action_valid, coef) }),
      };
    },
  ),
];
