/** Log-probabilities and entropy of next-token distributions. Shapes: M positions, V vocabulary. */
import { exponential, multiply, negate, subtract, sumLast } from './arithmetic';
import { reshape } from './layout';
import type { Tape, Value } from './tape';

/** log softmax over the last axis of `logits` [M, V]. */
export function logSoftmax(tape: Tape, logits: Value): Value {
  const output = tape.node('LogSoftmax', [logits], logits.shape, { attributes: { axis: -1 } });
  return tape.record(output, [logits], (gradient) => {
    const total = sumLast(tape, gradient);
    return [subtract(tape, gradient, multiply(tape, exponential(tape, output), total))];
  });
}

/** Entropy in nats of distributions given by their log-probabilities [M, V] -> [M]. */
export function entropy(tape: Tape, logprobs: Value): Value {
  const terms = multiply(tape, exponential(tape, logprobs), logprobs);
  return reshape(tape, negate(tape, sumLast(tape, terms)), logprobs.shape.slice(0, 1));
}
