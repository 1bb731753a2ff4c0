import type { Datum, LossFn, LossFnConfig } from '@/contract/engine';

/** As in the embedded engine: an overflow of the ratio would be infinite. */
const MAX_LOG_RATIO = 20;

/**
 * Sum of the per-token losses that log-probabilities under the trained model give, for servers that report no loss in the
 * contract's terms: `cross_entropy` is -weight * lp, `ppo` is -min(r A, clip(r, low, high) A) with r = exp(lp - old lp).
 * Targets without weight or advantage count nothing. Entropy and KL terms are not among these.
 */
export function lossSumOf(
  data: readonly Datum[],
  logprobs: readonly Float32Array[],
  lossFn: LossFn,
  { clipLowThreshold = 0.8, clipHighThreshold = 1.2 }: LossFnConfig,
): number {
  let sum = 0;
  data.forEach(({ lossFnInputs }, index) => {
    const factors = (lossFn === 'ppo' ? lossFnInputs.advantages : lossFnInputs.weights) ?? [];
    factors.forEach((factor, t) => {
      if (factor === 0) return;
      const logprob = logprobs[index]?.[t] ?? NaN;
      if (lossFn === 'cross_entropy') {
        sum -= factor * logprob;
        return;
      }
      const logRatio = logprob - (lossFnInputs.logprobs?.[t] ?? NaN);
      const ratio = Math.exp(Math.max(-MAX_LOG_RATIO, Math.min(MAX_LOG_RATIO, logRatio)));
      const clipped = Math.max(clipLowThreshold, Math.min(clipHighThreshold, ratio));
      sum -= Math.min(ratio * factor, clipped * factor);
    });
  });
  return sum;
}
