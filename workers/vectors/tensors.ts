/** Forms of a vector's inputs, and the padded tensors, [rows][tokens], that the public implementations compute with. */
import { z } from 'zod';
import { sumOf } from '@/rl/learning/moments';

/** A double; JSON has no other way to write those that are not finite. */
const Double = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity']).transform(Number)]);
export const Vector = z.array(Double);
export const Tensor = z.array(Vector);
export const Ids = z.array(z.union([z.string(), z.number()]));
export const Tokens = z.array(z.int());
export { Double };

export type Matrix = readonly (readonly number[])[];

/** Applies a function to each element with its row and column. */
export function mapTensor(
  tensor: Matrix,
  compute: (value: number, row: number, t: number) => number,
): number[][] {
  return tensor.map((values, row) => values.map((value, t) => compute(value, row, t)));
}

/** Element-wise product of two tensors of one shape. */
export function product(left: Matrix, right: Matrix): number[][] {
  return mapTensor(left, (value, row, t) => value * (right[row]?.[t] ?? NaN));
}

/** One value a row, on each token times its mask. */
export function broadcast(values: readonly number[], mask: Matrix): number[][] {
  return mapTensor(mask, (weight, row) => weight * (values[row] ?? NaN));
}

/** sum(value mask) / (sum(mask) + epsilon); masked values have no part. */
export function maskedMean(values: Matrix, mask: Matrix, epsilon = 0): number {
  const sum = sumOf(
    mapTensor(mask, (weight, row, t) => (weight ? weight * (values[row]?.[t] ?? NaN) : 0)).flat(),
  );
  return sum / (sumOf(mask.flat()) + epsilon);
}
