/**
 * Objectives of the policy losses as graphs, to be maximised. Shapes: E targets, S sequences.
 *
 * Equal targets that follow equal tokens and were sampled with one probability are one target of the graph, so that
 * nothing is computed twice. Their lp and r are one, and the sum of their losses is kept by summing their advantages: all
 * of them where an objective is linear in A, and by sign where clipping treats signs differently, each being linear in a
 * positive scaling of A. Only where r is a sequence's do targets of different sequences keep advantages of their own.
 */
import type { PolicyLossFn } from '@/contract/engine';
import { MAX_LOG_RATIO, MAX_SEQUENCE_LOG_RATIO } from '../../loss-config';
import { add, clamp, detach, exponential, multiply, subtract } from '../graph/arithmetic';
import { reshape } from '../graph/layout';
import { matrixProduct } from '../graph/matrix';
import type { Shape } from '../graph/shape';
import type { Tape, Value } from '../graph/tape';

/**
 * What is summed for the target log-probabilities lp [E], and maximised: [E], or [S, E] for `gspo`. The formulas are the
 * contract's (`LossFn`). Declares the objective's inputs, see each; clip thresholds are scalars.
 */
export function objective(tape: Tape, lossFn: PolicyLossFn, logprobs: Value): Value {
  switch (lossFn) {
    case 'importance_sampling':
      return multiply(tape, tokenRatio(tape, logprobs), vector(tape, 'advantages', logprobs.shape));
    case 'ppo':
      return clipped(tape, tokenRatio(tape, logprobs), scalarInput(tape, 'dualClip'));
    case 'cispo':
      return cispo(tape, logprobs);
    case 'gspo':
      return clipped(tape, sequenceRatio(tape, logprobs));
  }
}

/** r = exp(lp - oldLogprobs) [E]. */
function tokenRatio(tape: Tape, logprobs: Value): Value {
  const logRatio = subtract(tape, logprobs, vector(tape, 'oldLogprobs', logprobs.shape));
  const bounds = { low: tape.scalar(-MAX_LOG_RATIO), high: tape.scalar(MAX_LOG_RATIO) };
  return exponential(tape, clamp(tape, logRatio, bounds));
}

/**
 * min(r A, clip(r) A), and no lower than c A for A < 0 where there is a dual clip c: this is min(r, high) A for A > 0, and
 * min(max(r, low), c) A for A < 0, A being summed by sign in `positiveAdvantages` and `negativeAdvantages`.
 */
function clipped(tape: Tape, ratio: Value, dualClip?: Value): Value {
  const low = scalarInput(tape, 'clipLowThreshold');
  const high = scalarInput(tape, 'clipHighThreshold');
  return add(
    tape,
    multiply(tape, clamp(tape, ratio, { high }), vector(tape, 'positiveAdvantages', ratio.shape)),
    multiply(
      tape,
      clamp(tape, ratio, { low, high: dualClip }),
      vector(tape, 'negativeAdvantages', ratio.shape),
    ),
  );
}

/** stopgrad(clip(r)) lp A. */
function cispo(tape: Tape, logprobs: Value): Value {
  const low = scalarInput(tape, 'clipLowThreshold');
  const high = scalarInput(tape, 'clipHighThreshold');
  const factor = clamp(tape, tokenRatio(tape, detach(logprobs)), { low, high });
  return multiply(tape, multiply(tape, factor, logprobs), vector(tape, 'advantages', logprobs.shape));
}

/**
 * The ratio of each sequence at each target, [S, E]: exp(lp - stopgrad(lp) + stopgrad(mean of lp - old over the
 * sequence)), as verl's `compute_policy_loss_gspo` has it. `sequenceShares` [S, E] holds 1 over a sequence's count of
 * targets where a target is the sequence's, and 0 elsewhere, so a target that sequences share has a ratio with each of
 * them and the gradient of each: advantages stay apart by sequence, and merging tokens is as exact as it is for a
 * token's own ratio. One pass: a first one for log-probabilities alone would cost half as much again, while this grid
 * is small beside the attention's.
 */
function sequenceRatio(tape: Tape, logprobs: Value): Value {
  const [targets = 1] = logprobs.shape;
  const constant = detach(logprobs);
  const logRatio = subtract(tape, constant, vector(tape, 'oldLogprobs', logprobs.shape));
  const shares = vector(tape, 'sequenceShares', ['sequences', targets]);
  const mean = matrixProduct(tape, shares, reshape(tape, logRatio, [targets, 1]));
  const bySequence = add(tape, subtract(tape, logprobs, constant), mean);
  return exponential(tape, clamp(tape, bySequence, { high: tape.scalar(MAX_SEQUENCE_LOG_RATIO) }));
}

function vector(tape: Tape, name: string, shape: Shape): Value {
  return tape.input(name, tape.precision, shape);
}

function scalarInput(tape: Tape, name: string): Value {
  return tape.input(name, tape.precision, []);
}
