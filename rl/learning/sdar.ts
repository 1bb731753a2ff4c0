/**
 * SDAR, self-distilled agentic RL (arXiv 2605.15155): the policy is drawn to what it would say with a skill in its prompt.
 * Source: SDAR `verl/trainer/ppo/sdar_utils.py`. The total loss is the policy loss + coefficient x this (0.01 in its
 * scripts).
 */
import type { Aggregation } from './aggregation';
import { sumOf } from './moments';

export interface GatedGap {
  /** Teacher's log-probability - student's. */
  gap: number;
  /** sigmoid(sharpness x gap), a constant to the gradient. */
  gate: number;
  /** gate x gap. */
  loss: number;
  /** d loss / d student's log-probability, -gate: the loss only ever raises what the student sampled. */
  gradient: number;
}

/** One token's gated gap. `sharpness` is SDAR's `gate_beta`, 5 in its scripts. */
export function gatedGap(studentLogprob: number, teacherLogprob: number, sharpness: number): GatedGap {
  const gap = teacherLogprob - studentLogprob;
  const gate = 1 / (1 + Math.exp(-sharpness * gap));
  return { gap, gate, loss: gate * gap, gradient: -gate };
}

const COUNT_EPSILON = 1e-8;

/**
 * Weights of the aggregation in SDAR's older copy of verl, shape of `maskBT`. It differs from `tokenWeights` where rows are
 * masked whole: they count in the means over sequences, and `seq-mean-token-mean` is NaN with one; `token-mean` adds 1e-8 to
 * its count, so that it is 0 where nothing is left.
 */
export function sdarTokenWeights(
  maskBT: readonly (readonly number[])[],
  aggregation: Aggregation,
): number[][] {
  const counts = maskBT.map(sumOf);
  const tokens = sumOf(counts);
  const sequences = maskBT.length;
  return maskBT.map((mask, row) => {
    const divisor = {
      'token-mean': tokens + COUNT_EPSILON,
      'seq-mean-token-sum': sequences,
      'seq-mean-token-mean': sequences * (counts[row] ?? NaN),
      'seq-mean-token-sum-norm': mask.length,
    }[aggregation];
    return mask.map((weight) => weight / divisor);
  });
}
