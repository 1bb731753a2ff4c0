/** The remaining layers of a transformer, each with its gradient. Shapes: N tokens, d hidden size, V vocabulary. */
import { add, multiply, subtract, sumLast, sumTo } from './arithmetic';
import { cast } from './layout';
import { matrixProduct } from './matrix';
import type { Tape, Value } from './tape';

/** Root-mean-square norm (Zhang and Sennrich 2019): `x` [..., d] / sqrt(mean(x^2) + epsilon) * `gain` [d]. */
export function rmsNorm(tape: Tape, x: Value, gain: Value, epsilon: number): Value {
  const { output, inverse } = tape.fused
    ? fusedNorm(tape, x, gain, epsilon)
    : plainNorm(tape, x, gain, epsilon);
  const size = Number(x.shape.at(-1));
  return tape.record(output, [x, gain], (gradient) => {
    const unit = multiply(tape, x, inverse);
    const along = multiply(tape, gradient, unit);
    const mean = multiply(tape, sumLast(tape, multiply(tape, along, gain)), tape.scalar(1 / size));
    const scaled = multiply(tape, gradient, gain);
    return [
      multiply(tape, inverse, subtract(tape, scaled, multiply(tape, unit, mean))),
      sumTo(tape, along, gain.shape),
    ];
  });
}

interface Norm {
  output: Value;
  /** 1 / sqrt(mean(x^2) + epsilon), [..., 1]. */
  inverse: Value;
}

function fusedNorm(tape: Tape, x: Value, gain: Value, epsilon: number): Norm {
  const [output, inverse] = tape.multiNode(
    'SimplifiedLayerNormalization',
    [x, gain],
    [x.shape, [...x.shape.slice(0, -1), 1]],
    { attributes: { axis: -1, epsilon: { float: epsilon } } },
  );
  return { output: output ?? x, inverse: inverse ?? x };
}

function plainNorm(tape: Tape, x: Value, gain: Value, epsilon: number): Norm {
  const rowShape = [...x.shape.slice(0, -1), 1];
  const squares = tape.node('Mul', [x, x], x.shape);
  const mean = tape.node('ReduceMean', [squares, tape.integers([-1])], rowShape, {
    attributes: { keepdims: 1 },
  });
  const shifted = tape.node('Add', [mean, tape.scalar(epsilon)], rowShape);
  const inverse = tape.node('Reciprocal', [tape.node('Sqrt', [shifted], rowShape)], rowShape);
  const unit = tape.node('Mul', [x, inverse], x.shape);
  return { output: tape.node('Mul', [unit, gain], x.shape), inverse };
}

/** silu(gate) * up (Shazeer 2020), silu(a) = a sigmoid(a). */
export function swiGlu(tape: Tape, gate: Value, up: Value): Value {
  const shape = gate.shape;
  const sigmoid = tape.node('Sigmoid', [gate], shape);
  const silu = tape.node('Mul', [gate, sigmoid], shape);
  return tape.record(tape.node('Mul', [silu, up], shape), [gate, up], (gradient) => {
    // silu'(a) = s + a s (1 - s)
    const slope = add(tape, sigmoid, multiply(tape, silu, subtract(tape, tape.scalar(1), sigmoid)));
    return [multiply(tape, multiply(tape, gradient, up), slope), multiply(tape, gradient, silu)];
  });
}

/**
 * Rows of `table` [V, d] at `ids` i32 [N] -> [N, d]. Its gradient is one-hot(ids)' times the gradient: scattering
 * with addition is a data race in onnxruntime where an id occurs twice and more than one thread runs.
 */
export function embedding(tape: Tape, table: Value, ids: Value): Value {
  const [vocabulary = 1, size = 1] = table.shape;
  const [tokens = 1] = ids.shape;
  const output = tape.node('Gather', [table, ids], [tokens, size], { attributes: { axis: 0 } });
  return tape.record(output, [table], (gradient) => {
    const columns = tape.integers([...Array(Number(vocabulary)).keys()], 'i32', [1, vocabulary]);
    const column = tape.node('Reshape', [ids, tape.integers([-1, 1])], [tokens, 1], { type: 'i32' });
    const isId = tape.node('Equal', [column, columns], [tokens, vocabulary], { type: 'bool' });
    const oneHot = cast(tape, isId, tape.precision);
    return [matrixProduct(tape, oneHot, gradient, { left: true })];
  });
}
