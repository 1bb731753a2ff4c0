import { z } from 'zod';
import { microBatchTokenWeights, tokenWeights } from '@/rl/learning/aggregation';
import { klEstimate } from '@/rl/learning/kl';
import { entropyOf, ppoLoss, type ClipBounds } from '../formulas/policy-losses';
import { aggregated, negativeLogRatios, POLICY_INPUTS, policyTokens, tensorOf } from '../policy-tensors';
import { Double, mapTensor, maskedMean, Tensor, type Matrix } from '../tensors';
import { vectorFunction } from '../vector-function';
import { KlName } from '../verl-names';

/** No dual clip, and log-ratios as they are. */
function symmetric(range: number): ClipBounds {
  return { low: 1 - range, high: 1 + range };
}

/** Masked mean of each micro batch of `size` rows. */
function microBatchMeans(values: Matrix, mask: Matrix, size: number): number[] {
  return Array.from({ length: Math.ceil(mask.length / size) }, (_, i) => {
    const part = (tensor: Matrix) => tensor.slice(i * size, (i + 1) * size);
    return maskedMean(part(values), part(mask));
  });
}

export const AGENTGYM_LOSSES = [
  vectorFunction('agentgymrl_compute_policy_loss', { ...POLICY_INPUTS, cliprange: Double }, (inputs) => {
    const { response_mask, cliprange } = inputs;
    const losses = policyTokens(inputs).map((row) =>
      row.map((token) => ppoLoss(token, symmetric(cliprange))),
    );
    const { loss, gradient } = aggregated(losses, tokenWeights(response_mask, 'token-mean'));
    return {
      pg_loss: loss,
      pg_clipfrac: maskedMean(
        tensorOf(losses, ({ isClipped }) => isClipped),
        response_mask,
      ),
      ppo_kl: maskedMean(negativeLogRatios(inputs), response_mask),
      grad_log_prob: gradient,
    };
  }),

  vectorFunction(
    'agentgymrl_update_policy',
    {
      ...POLICY_INPUTS,
      ref_log_prob: Tensor,
      entropy: Tensor,
      config: z.object({
        clip_ratio: Double,
        entropy_coeff: Double,
        use_kl_loss: z.boolean(),
        kl_loss_coef: Double,
        kl_loss_type: KlName,
        ppo_micro_batch_size_per_gpu: z.int().min(1),
      }),
    },
    (inputs) => {
      const { response_mask: mask, ref_log_prob, config } = inputs;
      const size = config.ppo_micro_batch_size_per_gpu;
      const tokens = policyTokens(inputs);
      const losses = tokens.map((row) => row.map((token) => ppoLoss(token, symmetric(config.clip_ratio))));
      const kl = tokens.map((row, i) =>
        row.map(({ logprob }, t) =>
          klEstimate(logprob, ref_log_prob[i]?.[t] ?? NaN, config.kl_loss_type, Infinity),
        ),
      );
      const klCoefficient = config.use_kl_loss ? config.kl_loss_coef : 0;
      const weights = microBatchTokenWeights(mask, size);
      const means = (values: Matrix) => microBatchMeans(values, mask, size);
      return {
        metrics_per_micro_batch: {
          // The source writes over these two: the last micro batch's stays.
          ...(config.use_kl_loss && {
            'actor/kl_loss': means(tensorOf(kl, ({ value }) => value)).at(-1),
            'actor/kl_coef': klCoefficient,
          }),
          'actor/entropy_loss': means(inputs.entropy),
          'actor/pg_loss': means(tensorOf(losses, ({ loss }) => loss)),
          'actor/pg_clipfrac': means(tensorOf(losses, ({ isClipped }) => isClipped)),
          'actor/ppo_kl': means(negativeLogRatios(inputs)),
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
];
