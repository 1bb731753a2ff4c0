import { AppError } from '@/contract/errors';

/** A size known when the graph is built, or the name of one known when it runs. */
export type Dimension = number | string;
export type Shape = readonly Dimension[];

/** `shape` as `Reshape` takes it: a named dimension is inferred (-1). Throws where two are named. */
export function inferredSizes(shape: Shape): number[] {
  if (shape.filter((size) => typeof size === 'string').length > 1)
    throw new AppError('internal', `[${shape.join(', ')}] has more than one dimension to infer`);
  return shape.map((size) => (typeof size === 'string' ? -1 : size));
}

export function sameShape(left: Shape, right: Shape): boolean {
  return left.length === right.length && left.every((size, axis) => size === right[axis]);
}

/** Shape of an elementwise operation by ONNX's (numpy's) broadcasting rule. Throws where the shapes do not fit. */
export function broadcastShape(left: Shape, right: Shape): Shape {
  const rank = Math.max(left.length, right.length);
  return Array.from({ length: rank }, (_, axis) => {
    const a = left[left.length - rank + axis] ?? 1;
    const b = right[right.length - rank + axis] ?? 1;
    if (a !== b && a !== 1 && b !== 1)
      throw new AppError('internal', `cannot broadcast [${left.join(', ')}] with [${right.join(', ')}]`);
    return a === 1 ? b : a;
  });
}
