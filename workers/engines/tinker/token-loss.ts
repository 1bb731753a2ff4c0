/** The contract's losses as functions of the log-probabilities that a server tells, for what it does not compute itself. */
import type { Datum, LossFn, LossFnConfig, PolicyLossFn } from '@/contract/engine';
import { MAX_LOG_RATIO, MAX_SEQUENCE_LOG_RATIO, withDefaults } from '../loss-config';
import { isCounted } from './datum-check';

interface TokenLoss {
  loss: number;
  /** d loss / d lp, lp being the target's log-probability under the trained model. */
  slope: number;
}

const NOTHING: TokenLoss = { loss: 0, slope: 0 };

/** Sum of the per-token losses, for servers that report none in the contract's terms. Entropy terms are not among them. */
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
 * Data whose `cross_entropy` has, at these log-probabilities, the gradient that the loss has for `data`: weights are the
 * negative slopes, since d(-w lp) = -w d lp. So a server that knows cross-entropy alone computes any loss of lp.
 */
export function toWeightedTargets(
  data: readonly Datum[],
  logprobs: readonly Float32Array[],
  lossFn: LossFn,
  config: LossFnConfig,
): Datum[] {
  return data.map((datum, index) => ({
    modelInput: datum.modelInput,
    lossFnInputs: {
      targetTokens: datum.lossFnInputs.targetTokens,
      weights: tokenLosses(datum, logprobs[index], lossFn, config).map(({ slope }) =>
        slope === 0 ? 0 : -slope,
      ),
    },
  }));
}

/** Loss and slope of each target; both 0 where it does not count. */
function tokenLosses(
  datum: Datum,
  logprobs: Float32Array | undefined,
  lossFn: LossFn,
  config: LossFnConfig,
): TokenLoss[] {
  const { targetTokens, weights, advantages, referenceLogprobs } = datum.lossFnInputs;
  const lp = (t: number): number => logprobs?.[t] ?? NaN;
  if (lossFn === 'cross_entropy')
    return targetTokens.map((_, t) => {
      const weight = weights?.[t] ?? 0;
      return weight === 0 ? NOTHING : { loss: -weight * lp(t), slope: -weight };
    });
  const settings = withDefaults(config);
  const ratioAt = lossFn === 'gspo' ? sequenceRatio(datum, lp) : tokenRatio(datum, lp);
  return targetTokens.map((_, t) => {
    const advantage = advantages?.[t] ?? 0;
    const policy = advantage === 0 ? NOTHING : policyLoss(lossFn, lp(t), ratioAt(t), advantage, settings);
    const penalty = klPenalty(lp(t), (weights?.[t] ?? 0) * settings.klCoef, referenceLogprobs?.[t] ?? NaN);
    return { loss: policy.loss + penalty.loss, slope: policy.slope + penalty.slope };
  });
}

/** A probability ratio, and whether it moves with its log: no bound holds it. */
interface Ratio {
  value: number;
  moves: boolean;
}

function ratioOf(logRatio: number, lowest: number, highest: number): Ratio {
  const held = Math.max(lowest, Math.min(highest, logRatio));
  return { value: Math.exp(held), moves: held === logRatio };
}

type RatioAt = (target: number) => Ratio;

function tokenRatio({ lossFnInputs }: Datum, lp: (target: number) => number): RatioAt {
  return (t) => ratioOf(lp(t) - (lossFnInputs.logprobs?.[t] ?? NaN), -MAX_LOG_RATIO, MAX_LOG_RATIO);
}

/** One ratio for all targets: of the mean over those that count. */
function sequenceRatio(datum: Datum, lp: (target: number) => number): RatioAt {
  const { targetTokens, logprobs } = datum.lossFnInputs;
  const counted = [...targetTokens.keys()].filter((t) => isCounted(datum, t));
  const sum = counted.reduce((total, t) => total + lp(t) - (logprobs?.[t] ?? NaN), 0);
  const ratio = ratioOf(sum / counted.length, -Infinity, MAX_SEQUENCE_LOG_RATIO);
  return () => ratio;
}

function policyLoss(
  lossFn: PolicyLossFn,
  logprob: number,
  ratio: Ratio,
  advantage: number,
  settings: Required<LossFnConfig>,
): TokenLoss {
  const { clipLowThreshold: low, clipHighThreshold: high } = settings;
  if (lossFn === 'cispo') {
    const factor = Math.max(low, Math.min(high, ratio.value)) * advantage;
    return { loss: -factor * logprob, slope: -factor };
  }
  const bounded = lossFn === 'importance_sampling' ? ratio.value : clip(ratio.value, advantage, settings);
  const moves = ratio.moves && bounded === ratio.value;
  return { loss: -bounded * advantage, slope: moves ? -bounded * advantage : 0 };
}

/** The ratio that min(r A, clip(r) A) amounts to, with its dual clip for A < 0. */
function clip(ratio: number, advantage: number, settings: Required<LossFnConfig>): number {
  const { clipLowThreshold, clipHighThreshold, dualClip } = settings;
  return advantage > 0
    ? Math.min(ratio, clipHighThreshold)
    : Math.min(Math.max(ratio, clipLowThreshold), dualClip);
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
