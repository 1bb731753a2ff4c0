/** Estimates of KL(policy || reference) from the log-probabilities of sampled tokens (Schulman 2020, joschu.net/blog/kl-approx.html). */
import { AppError } from '@/contract/errors';
import { sumOf } from './moments';

/** With d = reference's log-probability - policy's: k1 = -d, k2 = d^2 / 2, k3 = exp(d) - d - 1, abs = |d|. */
export type KlEstimator = 'k1' | 'abs' | 'k2' | 'k3';

export interface KlEstimate {
  value: number;
  /** d value / d policy's log-probability. */
  gradient: number;
}

/** k3 lies within these bounds; outside it has no gradient. */
const MOST_K3 = 10;
const MOST_LOG_RATIO = 20;

/**
 * One token's estimate, in nats. k3 is what verl calls `low_var_kl`: d is clamped to +-`maxLogRatio` (verl 20, AgentGym-RL
 * Infinity) and the result to +-10.
 */
export function klEstimate(
  logprob: number,
  referenceLogprob: number,
  estimator: KlEstimator,
  maxLogRatio = MOST_LOG_RATIO,
): KlEstimate {
  const difference = logprob - referenceLogprob;
  switch (estimator) {
    case 'k1':
      return { value: difference, gradient: 1 };
    case 'abs':
      return { value: Math.abs(difference), gradient: Math.sign(difference) };
    case 'k2':
      return { value: 0.5 * difference * difference, gradient: difference };
    case 'k3': {
      const logRatio = clamp(-difference, -maxLogRatio, maxLogRatio);
      const value = Math.exp(logRatio) - logRatio - 1;
      const isClamped = Math.abs(difference) > maxLogRatio || Math.abs(value) > MOST_K3;
      return { value: clamp(value, -MOST_K3, MOST_K3), gradient: isClamped ? 0 : 1 - Math.exp(logRatio) };
    }
  }
}

/** A batch's token rewards and log-probabilities, all [rows][tokens]. */
export interface KlPenalisedBatch {
  rewardsBT: readonly (readonly number[])[];
  logprobsBT: readonly (readonly number[])[];
  referenceLogprobsBT: readonly (readonly number[])[];
  /** 1 on sampled tokens. */
  maskBT: readonly (readonly number[])[];
}

export interface InRewardKl {
  /** reward - coefficient x KL of each token; masked ones keep their reward. */
  rewardsBT: number[][];
  /** Mean over rows of the mean KL of their sampled tokens, in nats; a row without any counts as 0. */
  kl: number;
}

/** verl adds it to a row's token count. */
const COUNT_EPSILON = 1e-8;

/** KL as part of the reward rather than of the loss. Source: verl `apply_kl_penalty`. */
export function inRewardKl(
  { rewardsBT, logprobsBT, referenceLogprobsBT, maskBT }: KlPenalisedBatch,
  { estimator, coefficient }: { estimator: KlEstimator; coefficient: number },
): InRewardKl {
  const klBT = maskBT.map((mask, row) =>
    mask.map((weight, t) => {
      const [logprob = NaN, reference = NaN] = [logprobsBT[row]?.[t], referenceLogprobsBT[row]?.[t]];
      return weight * klEstimate(logprob, reference, estimator).value;
    }),
  );
  const means = klBT.map((kl, row) => sumOf(kl) / (sumOf(maskBT[row] ?? []) + COUNT_EPSILON));
  return {
    rewardsBT: klBT.map((klT, row) => klT.map((kl, t) => (rewardsBT[row]?.[t] ?? NaN) - coefficient * kl)),
    kl: sumOf(means) / means.length,
  };
}

export interface AdaptiveKl {
  /** The KL that the coefficient steers to, in nats. */
  target: number;
  /** Sequences over which the coefficient may change by a fifth. */
  horizon: number;
}

/**
 * The next coefficient of an in-reward KL, given the KL measured with this one over `sequences` (Ziegler et al. 2019, arXiv
 * 1909.08593, section 2.2): beta (1 + clip(KL / target - 1, -0.2, 0.2) sequences / horizon). Source: verl
 * `AdaptiveKLController`.
 */
export function nextKlCoefficient(
  coefficient: number,
  { kl, sequences }: { kl: number; sequences: number },
  { target, horizon }: AdaptiveKl,
): number {
  if (!(target > 0 && horizon > 0))
    throw new AppError('invalid_input', `target ${target} and horizon ${horizon}: expected both above 0`);
  return coefficient * (1 + (clamp(kl / target - 1, -0.2, 0.2) * sequences) / horizon);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
