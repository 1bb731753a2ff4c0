/**
 * The losses as graphs. All are sums over targets: a recipe folds its normaliser into weights or advantages.
 * Shapes: E targets, M positions whose distribution is computed; a position has one target or more.
 */
import type { PolicyLossFn } from '@/contract/engine';
import { MAX_LOG_RATIO } from '../../loss-config';
import { add, clamp, exponential, multiply, negate, subtract, sum } from '../graph/arithmetic';
import type { Tape, Value } from '../graph/tape';
import { objective } from './objectives';

/** -sum(weights * lp) of the target log-probabilities lp [E]. Declares the input `weights` [E]. */
export function crossEntropyLoss(tape: Tape, logprobs: Value): Value {
  const weights = tape.input('weights', tape.precision, logprobs.shape);
  return negate(tape, sum(tape, multiply(tape, weights, logprobs)));
}

/**
 * A policy loss of target log-probabilities lp [E] and entropies H [M]: its objective's negative sum, and the entropy
 * and KL terms
 *
 *   - sum(entropyWeights * H) + sum(referenceWeights * k3)
 *
 * with k3 = exp(d) - d - 1, d = referenceLogprobs - lp (Schulman 2020, "Approximating KL divergence"). Declares the
 * inputs named here, whose coefficients are part of the weights, and the objective's own, see `objective`.
 */
export function policyLoss(tape: Tape, lossFn: PolicyLossFn, logprobs: Value, entropies: Value): Value {
  const gain = sum(tape, objective(tape, lossFn, logprobs));
  const bonus = multiply(tape, entropies, tape.input('entropyWeights', tape.precision, entropies.shape));
  const penalty = multiply(
    tape,
    klEstimate(tape, logprobs),
    tape.input('referenceWeights', tape.precision, logprobs.shape),
  );
  return negate(tape, add(tape, subtract(tape, gain, sum(tape, penalty)), sum(tape, bonus)));
}

/** k3 of each target, [E]. */
function klEstimate(tape: Tape, logprobs: Value): Value {
  const reference = tape.input('referenceLogprobs', tape.precision, logprobs.shape);
  const distance = subtract(tape, reference, logprobs);
  const growth = exponential(tape, clamp(tape, distance, { high: tape.scalar(MAX_LOG_RATIO) }));
  return subtract(tape, subtract(tape, growth, distance), tape.scalar(1));
}
