/** Operations that move elements without computing, each with its gradient. */
import { AppError } from '@/contract/errors';
import { DATA_TYPE } from './encode';
import type { ElementType } from './encode';
import { inferredSizes } from './shape';
import type { Shape } from './shape';
import type { Tape, Value } from './tape';

/** The same elements in row-major order under another shape, of which at most one dimension is named. */
export function reshape(tape: Tape, value: Value, shape: Shape): Value {
  const output = tape.node('Reshape', [value, tape.integers(inferredSizes(shape))], shape, {
    type: value.type,
  });
  return tape.record(output, [value], (gradient) => [reshape(tape, gradient, value.shape)]);
}

/** Axis i of the output is axis `order[i]` of `value`. */
export function transpose(tape: Tape, value: Value, order: readonly number[]): Value {
  const shape = order.map((axis) => {
    const size = value.shape[axis];
    if (size === undefined)
      throw new AppError('internal', `[${value.shape.join(', ')}] has no axis ${axis} to transpose`);
    return size;
  });
  const output = tape.node('Transpose', [value], shape, { attributes: { perm: order } });
  const inverse = order.map((_, axis) => order.indexOf(axis));
  return tape.record(output, [value], (gradient) => [transpose(tape, gradient, inverse)]);
}

/** Consecutive parts of `sizes` elements along `axis`. */
export function split(tape: Tape, value: Value, axis: number, sizes: readonly number[]): Value[] {
  const shapes = sizes.map((size) => value.shape.with(axis, size));
  const outputs = tape.multiNode('Split', [value, tape.integers(sizes)], shapes, { attributes: { axis } });
  tape.recordMany(outputs, [value], (gradients) => {
    const parts = gradients.map((gradient, index) => {
      const output = outputs[index];
      return gradient ?? (output && zerosLike(tape, output));
    });
    return [
      concatenate(
        tape,
        parts.filter((part) => part !== undefined),
        axis,
      ),
    ];
  });
  return outputs;
}

/** `parts` one after another along `axis`; their other sizes are equal. */
export function concatenate(tape: Tape, parts: readonly Value[], axis: number): Value {
  const [first] = parts;
  if (!first) throw new AppError('internal', 'nothing to concatenate');
  const sizes = parts.map((part) => Number(part.shape[axis]));
  const shape = first.shape.with(
    axis,
    sizes.reduce((sum, size) => sum + size, 0),
  );
  const output = tape.node('Concat', parts, shape, { attributes: { axis } });
  return tape.record(output, parts, (gradient) => split(tape, gradient, axis, sizes));
}

/** The first `size` elements along `axis`. */
export function prefix(tape: Tape, value: Value, axis: number, size: number): Value {
  const whole = Number(value.shape[axis]);
  if (size === whole) return value;
  const inputs = [value, tape.integers([0]), tape.integers([size]), tape.integers([axis])];
  const output = tape.node('Slice', inputs, value.shape.with(axis, size));
  return tape.record(output, [value], (gradient) => {
    const pads = value.shape.map((_, index) => (index === axis ? whole - size : 0));
    const padding = tape.integers([...value.shape.map(() => 0), ...pads]);
    return [tape.node('Pad', [gradient, padding], value.shape)];
  });
}

/** Rows of `value` [N, d] at `indices` (i32 [M], each at most once) -> [M, d]. */
export function gatherRows(tape: Tape, value: Value, indices: Value): Value {
  const shape = [...indices.shape, ...value.shape.slice(1)];
  const output = tape.node('Gather', [value, indices], shape, { attributes: { axis: 0 } });
  return tape.record(output, [value], (gradient) => {
    const columns = reshape(tape, cast(tape, indices, 'i64'), [...indices.shape, 1]);
    return [tape.node('ScatterND', [zerosLike(tape, value), columns, gradient], value.shape)];
  });
}

/** `value` as another element type, not recorded. */
export function cast(tape: Tape, value: Value, type: ElementType): Value {
  return tape.node('Cast', [value], value.shape, { attributes: { to: DATA_TYPE[type] }, type });
}

/** The shape `value` has when the graph runs, as a list of integers. */
export function shapeOf(tape: Tape, value: Value): Value {
  return tape.node('Shape', [value], [value.shape.length], { type: 'i64' });
}

/** Zeros of the shape of `value`. */
export function zerosLike(tape: Tape, value: Value): Value {
  return zeros(tape, shapeOf(tape, value), value.shape);
}

/** Zeros of a shape that is known when the graph runs, a list of integers; `shape` is what is known of it now. */
export function zeros(tape: Tape, runtimeShape: Value, shape: Shape): Value {
  return tape.node('Expand', [tape.scalar(0), runtimeShape], shape);
}
