/** Elementwise operations and sums, each with its gradient. */
import type { Tape, Value } from './tape';
import { reshape, shapeOf } from './layout';
import { broadcastShape, sameShape } from './shape';
import type { Shape } from './shape';

function elementwise(
  tape: Tape,
  operator: string,
  left: Value,
  right: Value,
  product: (gradient: Value) => readonly [Value | undefined, Value | undefined],
): Value {
  const output = tape.node(operator, [left, right], broadcastShape(left.shape, right.shape));
  return tape.record(output, [left, right], product);
}

/** Sums `value` over what broadcasting repeated, back to `shape`: the gradient of a broadcast. */
export function sumTo(tape: Tape, value: Value, shape: Shape): Value {
  if (sameShape(value.shape, shape)) return value;
  const added = value.shape.length - shape.length;
  const axes = value.shape.flatMap((size, axis) =>
    axis < added || (shape[axis - added] === 1 && size !== 1) ? [axis] : [],
  );
  const summed = tape.node(
    'ReduceSum',
    [value, tape.integers(axes)],
    value.shape.map((size, axis) => (axes.includes(axis) ? 1 : size)),
    { attributes: { keepdims: 1 } },
  );
  return added > 0 ? reshape(tape, summed, shape) : summed;
}

export function add(tape: Tape, left: Value, right: Value): Value {
  return elementwise(tape, 'Add', left, right, (gradient) => [
    left.differentiable ? sumTo(tape, gradient, left.shape) : undefined,
    right.differentiable ? sumTo(tape, gradient, right.shape) : undefined,
  ]);
}

export function subtract(tape: Tape, left: Value, right: Value): Value {
  return elementwise(tape, 'Sub', left, right, (gradient) => [
    left.differentiable ? sumTo(tape, gradient, left.shape) : undefined,
    right.differentiable ? sumTo(tape, negate(tape, gradient), right.shape) : undefined,
  ]);
}

export function multiply(tape: Tape, left: Value, right: Value): Value {
  const spread = broadcastShape(left.shape, right.shape);
  return elementwise(tape, 'Mul', left, right, (gradient) => [
    left.differentiable ? sumTo(tape, spreadProduct(tape, gradient, right, spread), left.shape) : undefined,
    right.differentiable ? sumTo(tape, spreadProduct(tape, gradient, left, spread), right.shape) : undefined,
  ]);
}

function spreadProduct(tape: Tape, gradient: Value, factor: Value, shape: Shape): Value {
  return tape.node('Mul', [gradient, factor], shape);
}

export function negate(tape: Tape, value: Value): Value {
  return tape.record(tape.node('Neg', [value], value.shape), [value], (gradient) => [negate(tape, gradient)]);
}

export function exponential(tape: Tape, value: Value): Value {
  const output = tape.node('Exp', [value], value.shape);
  return tape.record(output, [value], (gradient) => [multiply(tape, gradient, output)]);
}

/** `value` as a constant, through which no gradient flows. */
export function detach(value: Value): Value {
  return { ...value, differentiable: false };
}

/** `value` held within scalars; the gradient passes where the bounds leave it unchanged. Either bound may be absent. */
export function clamp(tape: Tape, value: Value, bounds: { low?: Value; high?: Value }): Value {
  const { low, high } = bounds;
  let output = value;
  if (low) output = tape.node('Max', [output, low], value.shape);
  if (high) output = tape.node('Min', [output, high], value.shape);
  return tape.record(output, [value], (gradient) => {
    const inside = tape.node('Equal', [value, output], value.shape, { type: 'bool' });
    return [tape.node('Where', [inside, gradient, tape.scalar(0)], value.shape)];
  });
}

/** Sum of all elements, a scalar. */
export function sum(tape: Tape, value: Value): Value {
  const output = tape.node('ReduceSum', [value], [], { attributes: { keepdims: 0 } });
  return tape.record(output, [value], (gradient) => [
    tape.node('Expand', [gradient, shapeOf(tape, value)], value.shape),
  ]);
}

/** Sum over the last axis, which stays with size 1. */
export function sumLast(tape: Tape, value: Value): Value {
  const shape = [...value.shape.slice(0, -1), 1];
  const output = tape.node('ReduceSum', [value, tape.integers([-1])], shape, { attributes: { keepdims: 1 } });
  return tape.record(output, [value], (gradient) => [
    tape.node('Expand', [gradient, shapeOf(tape, value)], value.shape),
  ]);
}
