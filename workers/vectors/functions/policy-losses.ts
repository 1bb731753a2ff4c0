import { z } from 'zod';
import { aggregateLoss, microBatchTokenWeights, tokenWeights } from '@/rl/learning/aggregation';
import { klEstimate } from '@/rl/learning/kl';
import {
  entropyOf,
  gspoLosses,
  ppoLoss,
  type ClipBounds,
  type PolicyLoss,
  type PolicyToken,
} from '@/rl/learning/policy-losses';
import { gatedGap, sdarTokenWeights } from '@/rl/learning/sdar';
import { Double, mapTensor, maskedMean, product, sumOf, Tensor, type Matrix } from '../tensors';
import { vectorFunction, type Outputs } from '../vector-function';

const Aggregation = z.enum([
  'token-mean',
  'seq-mean-token-sum',
  'seq-mean-token-mean',
  'seq-mean-token-sum-norm',
]);

/** What verl calls its update-wide counts. */
const GLOBAL_COUNTS = {
  dp_size: z.int().nullish(),
  batch_num_tokens: Double.nullish(),
  global_batch_size: Double.nullish(),
  loss_scale_factor: Double.nullish(),
};
const GlobalCounts = z.object(GLOBAL_COUNTS);

function aggregationSettings(counts: z.infer<typeof GlobalCounts> = {}) {
  return {
    tokens: counts.batch_num_tokens ?? undefined,
    sequences: counts.global_batch_size ?? undefined,
    parallel: counts.dp_size ?? undefined,
    scaleFactor: counts.loss_scale_factor ?? undefined,
  };
}

const POLICY_TOKENS = { old_log_prob: Tensor, log_prob: Tensor, advantages: Tensor, response_mask: Tensor };

function policyTokens(inputs: {
  old_log_prob: Matrix;
  log_prob: Matrix;
  advantages: Matrix;
}): PolicyToken[][] {
  return inputs.log_prob.map((logprobs, row) =>
    logprobs.map((logprob, t) => ({
      logprob,
      oldLogprob: inputs.old_log_prob[row]?.[t] ?? NaN,
      advantage: inputs.advantages[row]?.[t] ?? NaN,
    })),
  );
}

const VerlClip = z.object({
  clip_ratio: Double,
  clip_ratio_low: Double.nullish(),
  clip_ratio_high: Double.nullish(),
  clip_ratio_c: Double.nullish(),
});

function boundsOf({ clip_ratio, clip_ratio_low, clip_ratio_high }: z.infer<typeof VerlClip>): ClipBounds {
  return { low: 1 - (clip_ratio_low ?? clip_ratio), high: 1 + (clip_ratio_high ?? clip_ratio) };
}

/** verl bounds log-ratios, and averages its metrics over the mask's sum + this. */
const VERL = { maxLogRatio: 20, dualClip: 3, metricEpsilon: 1e-8 };

type Losses = readonly (readonly PolicyLoss[])[];

const share = (losses: Losses, holds: (loss: PolicyLoss) => boolean): number[][] =>
  losses.map((row) => row.map((loss) => Number(holds(loss))));

/** Loss and gradient, each token's times its importance weight where there are any. */
function aggregated(
  losses: Losses,
  weights: Matrix,
  importance?: Matrix,
): { loss: number; gradient: number[][] } {
  const weighed = importance ? product(weights, importance) : weights;
  return {
    loss: aggregateLoss(
      losses.map((row) => row.map(({ loss }) => loss)),
      weighed,
    ),
    gradient: product(
      weighed,
      losses.map((row) => row.map(({ gradient }) => gradient)),
    ),
  };
}

function verlOutputs(
  losses: Losses,
  { loss, gradient }: { loss: number; gradient: number[][] },
  negativeLogRatios: Matrix,
  mask: Matrix,
): Outputs {
  const mean = (values: Matrix) => maskedMean(values, mask, VERL.metricEpsilon);
  return {
    pg_loss: loss,
    metrics: {
      'actor/pg_clipfrac': mean(share(losses, ({ isClipped }) => isClipped)),
      'actor/ppo_kl': mean(negativeLogRatios),
      'actor/pg_clipfrac_lower': mean(share(losses, ({ isDualClipped }) => isDualClipped)),
    },
    grad_log_prob: gradient,
  };
}

function negativeLogRatios(tokens: readonly (readonly PolicyToken[])[], most = Infinity): number[][] {
  return tokens.map((row) =>
    row.map(({ logprob, oldLogprob }) => Math.min(Math.max(oldLogprob - logprob, -most), most)),
  );
}

const IMPORTANCE = { rollout_is_weights: Tensor.nullish(), global_batch_info: GlobalCounts.nullish() };

export const POLICY_LOSSES = [
  vectorFunction(
    'verl_compute_policy_loss_vanilla',
    { ...POLICY_TOKENS, ...IMPORTANCE, loss_agg_mode: Aggregation, config: VerlClip },
    (inputs) => {
      const { config, response_mask, loss_agg_mode } = inputs;
      const bounds = {
        ...boundsOf(config),
        dualClip: config.clip_ratio_c ?? VERL.dualClip,
        maxLogRatio: VERL.maxLogRatio,
      };
      const tokens = policyTokens(inputs);
      const losses = tokens.map((row) => row.map((token) => ppoLoss(token, bounds)));
      const settings = aggregationSettings(inputs.global_batch_info ?? {});
      const weights = tokenWeights(response_mask, loss_agg_mode, settings);
      return verlOutputs(
        losses,
        aggregated(losses, weights, inputs.rollout_is_weights ?? undefined),
        negativeLogRatios(tokens, VERL.maxLogRatio),
        response_mask,
      );
    },
  ),

  vectorFunction(
    'verl_compute_policy_loss_gspo',
    { ...POLICY_TOKENS, ...IMPORTANCE, config: VerlClip },
    (inputs) => {
      const { config, response_mask } = inputs;
      const tokens = policyTokens(inputs);
      const losses = tokens.map((row, i) => gspoLosses(row, response_mask[i] ?? [], boundsOf(config)));
      const settings = aggregationSettings(inputs.global_batch_info ?? {});
      const weights = tokenWeights(response_mask, 'seq-mean-token-mean', settings);
      return verlOutputs(
        losses,
        aggregated(losses, weights, inputs.rollout_is_weights ?? undefined),
        negativeLogRatios(tokens),
        response_mask,
      );
    },
  ),

  vectorFunction(
    'verl_agg_loss',
    { ...GLOBAL_COUNTS, loss_mat: Tensor, loss_mask: Tensor, loss_agg_mode: Aggregation },
    ({ loss_mat, loss_mask, loss_agg_mode, ...counts }) => ({
      loss: aggregateLoss(loss_mat, tokenWeights(loss_mask, loss_agg_mode, aggregationSettings(counts))),
    }),
  ),

  vectorFunction('agentgymrl_compute_policy_loss', { ...POLICY_TOKENS, cliprange: Double }, (inputs) => {
    const { response_mask, cliprange } = inputs;
    const tokens = policyTokens(inputs);
    const losses = tokens.map((row) => row.map((token) => ppoLoss(token, symmetric(cliprange))));
    const { loss, gradient } = aggregated(losses, tokenWeights(response_mask, 'token-mean'));
    return {
      pg_loss: loss,
      pg_clipfrac: maskedMean(
        share(losses, ({ isClipped }) => isClipped),
        response_mask,
      ),
      ppo_kl: maskedMean(negativeLogRatios(tokens), response_mask),
      grad_log_prob: gradient,
    };
  }),

  vectorFunction(
    'agentgymrl_update_policy',
    {
      ...POLICY_TOKENS,
      ref_log_prob: Tensor,
      entropy: Tensor,
      config: z.object({
        clip_ratio: Double,
        entropy_coeff: Double,
        use_kl_loss: z.boolean(),
        kl_loss_coef: Double,
        ppo_micro_batch_size_per_gpu: z.int().min(1),
      }),
    },
    (inputs) => {
      const { response_mask: mask, entropy, ref_log_prob, config } = inputs;
      const size = config.ppo_micro_batch_size_per_gpu;
      const tokens = policyTokens(inputs);
      const losses = tokens.map((row) => row.map((token) => ppoLoss(token, symmetric(config.clip_ratio))));
      const kl = tokens.map((row, i) =>
        row.map(({ logprob }, t) => klEstimate(logprob, ref_log_prob[i]?.[t] ?? NaN, 'k3', Infinity)),
      );
      const klCoefficient = config.use_kl_loss ? config.kl_loss_coef : 0;
      const weights = microBatchTokenWeights(mask, size);
      const perMicroBatch = (values: Matrix) =>
        microBatches(mask, size).map(([start, end]) =>
          maskedMean(values.slice(start, end), mask.slice(start, end)),
        );
      const klMeans = perMicroBatch(kl.map((row) => row.map(({ value }) => value)));
      return {
        metrics_per_micro_batch: {
          // The source writes over these two: the last micro batch's stays.
          ...(config.use_kl_loss && { 'actor/kl_loss': klMeans.at(-1), 'actor/kl_coef': klCoefficient }),
          'actor/entropy_loss': perMicroBatch(entropy),
          'actor/pg_loss': perMicroBatch(losses.map((row) => row.map(({ loss }) => loss))),
          'actor/pg_clipfrac': perMicroBatch(share(losses, ({ isClipped }) => isClipped)),
          'actor/ppo_kl': perMicroBatch(negativeLogRatios(tokens)),
          // The vectors were made without an optimizer, which left no gradient to measure.
          'actor/grad_norm': [0],
        },
        grad_log_prob: mapTensor(weights, (weight, row, t) => {
          const policy = losses[row]?.[t]?.gradient ?? NaN;
          return weight * (policy + klCoefficient * (kl[row]?.[t]?.gradient ?? NaN));
        }),
        grad_entropy: mapTensor(weights, (weight) => -config.entropy_coeff * weight),
      };
    },
  ),

  vectorFunction(
    'agentgymrl_compute_entropy_loss',
    { logits: z.array(Tensor), response_mask: Tensor },
    ({ logits, response_mask }) => {
      const entropy = logits.map((row) => row.map(entropyOf));
      return { entropy, entropy_loss: maskedMean(entropy, response_mask) };
    },
  ),

  vectorFunction(
    'sdar_compute_sdar_loss',
    {
      student_log_probs: Tensor,
      teacher_log_probs: Tensor,
      response_mask: Tensor,
      gate_beta: Double,
      loss_agg_mode: Aggregation,
    },
    ({ student_log_probs, teacher_log_probs, response_mask, gate_beta, loss_agg_mode }) => {
      const gaps = student_log_probs.map((row, i) =>
        row.map((student, t) => gatedGap(student, teacher_log_probs[i]?.[t] ?? NaN, gate_beta)),
      );
      const weights = sdarTokenWeights(response_mask, loss_agg_mode);
      const loss = aggregateLoss(
        gaps.map((row) => row.map((gap) => gap.loss)),
        weights,
      );
      const tokens = Math.max(1, sumOf(response_mask.flat()));
      const mean = (of: (gap: ReturnType<typeof gatedGap>) => number) =>
        sumOf(
          product(
            response_mask,
            gaps.map((row) => row.map(of)),
          ).flat(),
        ) / tokens;
      return {
        loss,
        metrics: {
          'sdar/gate_mean': mean(({ gate }) => gate),
          'sdar/gate_active_ratio': mean(({ gate }) => Number(gate > 0.5)),
          'sdar/teacher_gap_mean': mean(({ gap }) => gap),
          'sdar/loss': loss,
        },
        grad_student_log_probs: product(
          weights,
          gaps.map((row) => row.map(({ gradient }) => gradient)),
        ),
      };
    },
  ),
];

/** AgentGym-RL's clip: no dual one, log-ratios as they are. */
function symmetric(range: number): ClipBounds {
  return { low: 1 - range, high: 1 + range };
}

/** First row and the one after the last of each micro batch. */
function microBatches(rows: readonly unknown[], size: number): [number, number][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, i) => [i * size, (i + 1) * size]);
}
