import { z } from 'zod';
import { aggregateLoss, tokenWeights, type AggregationSettings } from '@/rl/learning/aggregation';
import { gspoLosses, ppoLoss, type ClipBounds, type PolicyLoss } from '../formulas/policy-losses';
import { aggregated, negativeLogRatios, POLICY_INPUTS, policyTokens, tensorOf } from '../policy-tensors';
import { Double, maskedMean, product, Tensor, type Matrix } from '../tensors';
import { vectorFunction, type Outputs } from '../vector-function';
import { AggregationName } from '../verl-names';

/** verl's names of counts over the whole update. */
const GLOBAL_COUNTS = {
  dp_size: z.int().nullish(),
  batch_num_tokens: Double.nullish(),
  global_batch_size: Double.nullish(),
  loss_scale_factor: Double.nullish(),
};
const GlobalCounts = z.object(GLOBAL_COUNTS);

function aggregationSettings(counts: z.infer<typeof GlobalCounts>): AggregationSettings {
  return {
    tokens: counts.batch_num_tokens ?? undefined,
    sequences: counts.global_batch_size ?? undefined,
    parallel: counts.dp_size ?? undefined,
    scaleFactor: counts.loss_scale_factor ?? undefined,
  };
}

const ClipConfig = z.object({
  clip_ratio: Double,
  clip_ratio_low: Double.nullish(),
  clip_ratio_high: Double.nullish(),
  clip_ratio_c: Double.nullish(),
});

const DUAL_CLIP = 3;
const MOST_LOG_RATIO = 20;

function boundsOf({ clip_ratio, clip_ratio_low, clip_ratio_high }: z.infer<typeof ClipConfig>): ClipBounds {
  return { low: 1 - (clip_ratio_low ?? clip_ratio), high: 1 + (clip_ratio_high ?? clip_ratio) };
}

const INPUTS = {
  ...POLICY_INPUTS,
  config: ClipConfig,
  rollout_is_weights: Tensor.nullish(),
  global_batch_info: GlobalCounts.nullish(),
};

/** Added to the mask's sum where verl averages a metric. */
const METRIC_EPSILON = 1e-8;

function outputsOf(
  losses: readonly (readonly PolicyLoss[])[],
  weights: Matrix,
  kl: Matrix,
  inputs: { response_mask: Matrix; rollout_is_weights?: Matrix | null },
): Outputs {
  const { response_mask: mask, rollout_is_weights: importance } = inputs;
  const { loss, gradient } = aggregated(losses, importance ? product(weights, importance) : weights);
  const mean = (values: Matrix) => maskedMean(values, mask, METRIC_EPSILON);
  return {
    pg_loss: loss,
    metrics: {
      'actor/pg_clipfrac': mean(tensorOf(losses, ({ isClipped }) => isClipped)),
      'actor/ppo_kl': mean(kl),
      'actor/pg_clipfrac_lower': mean(tensorOf(losses, ({ isDualClipped }) => isDualClipped)),
    },
    grad_log_prob: gradient,
  };
}

export const VERL_LOSSES = [
  vectorFunction(
    'verl_compute_policy_loss_vanilla',
    { ...INPUTS, loss_agg_mode: AggregationName },
    (inputs) => {
      const { config, response_mask, loss_agg_mode, global_batch_info } = inputs;
      const dualClip = config.clip_ratio_c ?? DUAL_CLIP;
      const bounds = { ...boundsOf(config), dualClip, maxLogRatio: MOST_LOG_RATIO };
      const losses = policyTokens(inputs).map((row) => row.map((token) => ppoLoss(token, bounds)));
      const weights = tokenWeights(
        response_mask,
        loss_agg_mode,
        aggregationSettings(global_batch_info ?? {}),
      );
      return outputsOf(losses, weights, negativeLogRatios(inputs, MOST_LOG_RATIO), inputs);
    },
  ),

  vectorFunction('verl_compute_policy_loss_gspo', INPUTS, (inputs) => {
    const { config, response_mask, global_batch_info } = inputs;
    const losses = policyTokens(inputs).map((row, i) =>
      gspoLosses(row, response_mask[i] ?? [], boundsOf(config)),
    );
    const settings = aggregationSettings(global_batch_info ?? {});
    const weights = tokenWeights(response_mask, 'seq-mean-token-mean', settings);
    return outputsOf(losses, weights, negativeLogRatios(inputs), inputs);
  }),

  vectorFunction(
    'verl_agg_loss',
    { ...GLOBAL_COUNTS, loss_mat: Tensor, loss_mask: Tensor, loss_agg_mode: AggregationName },
    ({ loss_mat, loss_mask, loss_agg_mode, ...counts }) => ({
      loss: aggregateLoss(loss_mat, tokenWeights(loss_mask, loss_agg_mode, aggregationSettings(counts))),
    }),
  ),
];
