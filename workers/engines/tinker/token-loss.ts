import type { Datum, LossFn, LossFnConfig } from '@/contract/engine';

/** As in the embedded engine: an overflow of a ratio would be infinite. */
const MAX_LOG_RATIO = 20;

/**
 * Losses of the contract as functions of a target's log-probability lp under the trained model:
 * `cross_entropy` is -weight * lp, `ppo` is -min(r A, clip(r, low, high) A) with r = exp(lp - old lp), plus
 * klCoef * weight * k3 with k3 = exp(d) - d - 1, d = reference lp - lp. Entropy terms are not among these, for they need
 * more than lp.
 */
interface TokenLoss {
  loss: number;
  /** d loss / d lp */
  slope: number;
}

/** Sum of the per-token losses, for servers that report none in the contract's terms. */
export function lossSumOf(
  data: readonly Datum[],
  logprobs: readonly Float32Array[],
  lossFn: LossFn,
  config: LossFnConfig,
): number {
  return data.reduce(
    (sum, datum, index) =>
      sum + tokenLosses(datum, logprobs[index], lossFn, config).reduce((row, { loss }) => row + loss, 0),
    0,
  );
}

/**
 * Data whose `cross_entropy` has, at these log-probabilities, the gradient that `ppo` has for `data`: weights are the
 * negative slopes, since d(-w lp) = -w d lp. So a server that knows cross-entropy alone computes any loss of lp.
 */
export function toWeightedTargets(
  data: readonly Datum[],
  logprobs: readonly Float32Array[],
  config: LossFnConfig,
): Datum[] {
  return data.map((datum, index) => ({
    modelInput: datum.modelInput,
    lossFnInputs: {
      targetTokens: datum.lossFnInputs.targetTokens,
      weights: tokenLosses(datum, logprobs[index], 'ppo', config).map(({ slope }) =>
        slope === 0 ? 0 : -slope,
      ),
    },
  }));
}

/** Loss and slope of each target; both 0 where it has neither weight nor advantage. */
function tokenLosses(
  { lossFnInputs }: Datum,
  logprobs: Float32Array | undefined,
  lossFn: LossFn,
  config: LossFnConfig,
): TokenLoss[] {
  const { targetTokens, weights, advantages, logprobs: old, referenceLogprobs } = lossFnInputs;
  return targetTokens.map((_, t) => {
    const logprob = logprobs?.[t] ?? NaN;
    const weight = weights?.[t] ?? 0;
    if (lossFn === 'cross_entropy')
      return weight === 0 ? NOTHING : { loss: -weight * logprob, slope: -weight };
    const policy = policyLoss(logprob, advantages?.[t] ?? 0, old?.[t] ?? NaN, config);
    const penalty = klPenalty(logprob, weight * (config.klCoef ?? 0), referenceLogprobs?.[t] ?? NaN);
    return { loss: policy.loss + penalty.loss, slope: policy.slope + penalty.slope };
  });
}

const NOTHING: TokenLoss = { loss: 0, slope: 0 };

function policyLoss(
  logprob: number,
  advantage: number,
  old: number,
  { clipLowThreshold = 0.8, clipHighThreshold = 1.2 }: LossFnConfig,
): TokenLoss {
  if (advantage === 0) return NOTHING;
  const logRatio = logprob - old;
  const ratio = Math.exp(Math.max(-MAX_LOG_RATIO, Math.min(MAX_LOG_RATIO, logRatio)));
  const bounded = advantage > 0 ? Math.min(ratio, clipHighThreshold) : Math.max(ratio, clipLowThreshold);
  const isFree = bounded === ratio && Math.abs(logRatio) <= MAX_LOG_RATIO;
  return { loss: -bounded * advantage, slope: isFree ? -ratio * advantage : 0 };
}

function klPenalty(logprob: number, coefficient: number, reference: number): TokenLoss {
  if (coefficient === 0) return NOTHING;
  const distance = reference - logprob;
  const growth = Math.exp(Math.min(MAX_LOG_RATIO, distance));
  return {
    loss: coefficient * (growth - distance - 1),
    slope: coefficient * (1 - (distance <= MAX_LOG_RATIO ? growth : 0)),
  };
}
