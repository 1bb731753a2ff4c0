/** The remaining layers of a transformer, each with its gradient. Shapes: N tokens, d hidden size, V vocabulary. */
import { add, multiply, subtract } from './arithmetic';
import { reshape, shapeOf, zerosLike } from './layout';
import type { Tape, Value } from './tape';

/** Root-mean-square norm (Zhang and Sennrich 2019): `x` [..., d] / sqrt(mean(x^2) + epsilon) * `gain` [d]. */
export function rmsNorm(tape: Tape, x: Value, gain: Value, epsilon: number): Value {
  const { output, inverse } = tape.fused
    ? fusedNorm(tape, x, gain, epsilon)
    : plainNorm(tape, x, gain, epsilon);
  const size = Number(x.shape.at(-1));
  return tape.record(output, [x, gain], (gradient) => {
    // With u = x inverse: dx = inverse (g gain - u mean(g gain u)), and dgain is the sum of g u over rows. Both sums are
    // products of g x with a vector, which read it once and write next to nothing.
    const along = multiply(tape, gradient, x);
    const alongGain = tape.node('MatMul', [along, reshape(tape, gain, [size, 1])], inverse.shape);
    const meanSlope = multiply(tape, multiply(tape, inverse, inverse), tape.scalar(1 / size));
    const pull = multiply(tape, x, multiply(tape, alongGain, meanSlope));
    const gainGradient = tape.node(
      'MatMul',
      [reshape(tape, inverse, [1, 'vectors']), reshape(tape, along, ['vectors', size])],
      [1, size],
    );
    return [
      multiply(tape, inverse, subtract(tape, multiply(tape, gradient, gain), pull)),
      reshape(tape, gainGradient, gain.shape),
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
  const hidden = tape.node('Mul', [silu, up], shape);
  return tape.record(hidden, [gate, up], (gradient) => {
    // up silu'(a) = up (s + a s (1 - s)) = h + s (up - h), h = a s up: one pass over the elements less.
    const slope = add(tape, hidden, multiply(tape, sigmoid, subtract(tape, up, hidden)));
    return [multiply(tape, gradient, slope), multiply(tape, gradient, silu)];
  });
}

/**
 * Rows of `table` [V, d] at `ids` i32 [N] -> [N, d]. Its gradient is scattered element by element, which onnxruntime does on
 * one thread: `ScatterND` is a data race where an id occurs twice and more than one thread runs.
 */
export function embedding(tape: Tape, table: Value, ids: Value): Value {
  const [, size = 1] = table.shape;
  const [tokens = 1] = ids.shape;
  const output = tape.node('Gather', [table, ids], [tokens, size], { attributes: { axis: 0 } });
  return tape.record(output, [table], (gradient) => {
    const column = reshape(tape, ids, [tokens, 1]);
    const indices = tape.node('Expand', [column, shapeOf(tape, gradient)], gradient.shape, { type: 'i32' });
    return [
      tape.node('ScatterElements', [zerosLike(tape, table), indices, gradient], table.shape, {
        attributes: { axis: 0, reduction: 'add' },
      }),
    ];
  });
}
