/** Log-probabilities and entropy of next-token distributions. Shapes: M positions, V vocabulary, E targets. */
import { add, multiply, negate, subtract, sumLast } from './arithmetic';
import { reshape, zeros } from './layout';
import type { Tape, Value } from './tape';

export interface NextTokens {
  /** Log-probability of each target, [E]. */
  logprobs: Value;
  /** Entropy in nats of each position's distribution, [M]. */
  entropies: Value;
}

/**
 * What losses read of the distributions p = softmax(`logits` [M, V]): log-probabilities at `targets` (i32 [E], distinct
 * indices into the flattened logits) and entropies H. One gradient serves both, since every pass over [M, V] is dear:
 * d lp_e / d logits_m = onehot_e - p_m for a target e of position m, and d H_m / d logits_m = -p_m (log p_m + H_m).
 */
export function nextTokens(tape: Tape, logits: Value, targets: Value): NextTokens {
  const [positions = 1] = logits.shape;
  const logDistributions = tape.node('LogSoftmax', [logits], logits.shape, { attributes: { axis: -1 } });
  const distributions = tape.node('Exp', [logDistributions], logits.shape);
  const logprobs = tape.node(
    'Gather',
    [reshape(tape, logDistributions, ['elements']), targets],
    targets.shape,
    {
      attributes: { axis: 0 },
    },
  );
  const negativeEntropies = sumLast(tape, multiply(tape, distributions, logDistributions));
  const entropies = reshape(tape, negate(tape, negativeEntropies), [positions]);
  tape.recordMany([logprobs, entropies], [logits], ([logprobsGradient, entropiesGradient]) => {
    let factor: Value | undefined;
    if (entropiesGradient) {
      const slope = subtract(tape, negativeEntropies, logDistributions);
      factor = multiply(tape, slope, reshape(tape, entropiesGradient, [positions, 1]));
    }
    if (logprobsGradient) {
      const pull = negate(tape, sumByPosition(tape, logits, targets, logprobsGradient));
      factor = factor ? add(tape, factor, pull) : pull;
    }
    const spread = factor && multiply(tape, distributions, factor);
    return [spread && logprobsGradient ? addAt(tape, spread, targets, logprobsGradient) : spread];
  });
  return { logprobs, entropies };
}

/** Sums of `values` [E] over the targets of each position, [M, 1]. */
function sumByPosition(tape: Tape, logits: Value, targets: Value, values: Value): Value {
  const [positions = 1, vocabulary = 1] = logits.shape;
  const size = tape.integers([Number(vocabulary)], 'i32', []);
  const positionOfTarget = tape.node('Div', [targets, size], targets.shape, { type: 'i32' });
  const count = tape.node('Shape', [logits], [1], { type: 'i64', attributes: { start: 0, end: 1 } });
  const sums = addAt(tape, zeros(tape, count, [positions]), positionOfTarget, values);
  return reshape(tape, sums, [positions, 1]);
}

/** `base`, with `values` [E] added to its flattened elements at `indices` [E]. One thread does it, so none races another. */
function addAt(tape: Tape, base: Value, indices: Value, values: Value): Value {
  const flat = reshape(tape, base, ['elements']);
  const sums = tape.node('ScatterElements', [flat, indices, values], flat.shape, {
    attributes: { axis: 0, reduction: 'add' },
  });
  return reshape(tape, sums, base.shape);
}
