/**
 * The two losses as graphs. Both are sums over targets: a recipe folds its normaliser into weights or advantages.
 * Shapes: E targets, M positions whose distribution is computed; a position has one target or more.
 */
import { add, clamp, exponential, multiply, negate, subtract, sum } from '../graph/arithmetic';
import type { Dimension } from '../graph/shape';
import type { Tape, Value } from '../graph/tape';

/**
 * Bound of a log ratio before it is exponentiated, as in verl's `compute_policy_loss_vanilla`: an overflow
 * times a zero gradient would be NaN.
 */
const MAX_LOG_RATIO = 20;

/** -sum(weights * lp) of the target log-probabilities lp [E]. Declares the input `weights` [E]. */
export function crossEntropyLoss(tape: Tape, logprobs: Value): Value {
  const weights = tape.input('weights', tape.precision, logprobs.shape);
  return negate(tape, sum(tape, multiply(tape, weights, logprobs)));
}

/**
 * PPO's clipped objective with entropy and KL terms, of target log-probabilities lp [E] and entropies H [M]:
 *
 *   -sum(min(r A, clip(r, low, high) A)) - sum(entropyWeights * H) + sum(referenceWeights * k3)
 *
 * r = exp(lp - oldLogprobs) (Schulman et al. 2017, eq. 7); k3 = exp(d) - d - 1, d = referenceLogprobs - lp
 * (Schulman 2020, "Approximating KL divergence"). The objective is linear in a positive scaling of A, so advantages
 * of equal tokens are summed by sign: min(r A, clip(r) A) is min(r, high) A for A > 0 and max(r, low) A for A < 0.
 * Declares the inputs named here, `positiveAdvantages` and `negativeAdvantages` for A, `clipLowThreshold` and
 * `clipHighThreshold` for the bounds; coefficients are part of the weights.
 */
export function ppoLoss(tape: Tape, logprobs: Value, entropies: Value): Value {
  const input = (name: string, shape: readonly Dimension[]) => tape.input(name, tape.precision, shape);
  const low = input('clipLowThreshold', []);
  const high = input('clipHighThreshold', []);
  const limit = { low: tape.scalar(-MAX_LOG_RATIO), high: tape.scalar(MAX_LOG_RATIO) };

  const logRatio = subtract(tape, logprobs, input('oldLogprobs', logprobs.shape));
  const ratio = exponential(tape, clamp(tape, logRatio, limit));
  const objective = add(
    tape,
    multiply(tape, clamp(tape, ratio, { high }), input('positiveAdvantages', logprobs.shape)),
    multiply(tape, clamp(tape, ratio, { low }), input('negativeAdvantages', logprobs.shape)),
  );
  const bonus = multiply(tape, entropies, input('entropyWeights', entropies.shape));

  const distance = subtract(tape, input('referenceLogprobs', logprobs.shape), logprobs);
  const k3 = subtract(
    tape,
    subtract(tape, exponential(tape, clamp(tape, distance, { high: limit.high })), distance),
    tape.scalar(1),
  );
  const penalty = multiply(tape, k3, input('referenceWeights', logprobs.shape));

  const gain = add(tape, sum(tape, subtract(tape, objective, penalty)), sum(tape, bonus));
  return negate(tape, gain);
}
