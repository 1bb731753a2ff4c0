/** Policy losses of padded batches, [rows][tokens]. */
import { aggregateLoss } from '@/rl/learning/aggregation';
import type { PolicyLoss, PolicyToken } from './formulas/policy-losses';
import { mapTensor, product, Tensor, type Matrix } from './tensors';

/** Inputs of verl's policy losses, and of those that descend from it. */
export const POLICY_INPUTS = {
  old_log_prob: Tensor,
  log_prob: Tensor,
  advantages: Tensor,
  response_mask: Tensor,
};

export function policyTokens(inputs: {
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

/** Sampler's log-probability - policy's, within +- `most`. */
export function negativeLogRatios(inputs: { old_log_prob: Matrix; log_prob: Matrix }, most = Infinity) {
  return mapTensor(inputs.log_prob, (logprob, row, t) => {
    const difference = (inputs.old_log_prob[row]?.[t] ?? NaN) - logprob;
    return Math.min(Math.max(difference, -most), most);
  });
}

/** One figure of each token. */
export function tensorOf<Token>(
  tokens: readonly (readonly Token[])[],
  figure: (token: Token) => number | boolean,
): number[][] {
  return tokens.map((row) => row.map((token) => Number(figure(token))));
}

/** The weighted sum of the losses, and its gradient. */
export function aggregated(
  losses: readonly (readonly Pick<PolicyLoss, 'loss' | 'gradient'>[])[],
  weights: Matrix,
): { loss: number; gradient: number[][] } {
  return {
    loss: aggregateLoss(
      tensorOf(losses, ({ loss }) => loss),
      weights,
    ),
    gradient: product(
      weights,
      tensorOf(losses, ({ gradient }) => gradient),
    ),
  };
}
