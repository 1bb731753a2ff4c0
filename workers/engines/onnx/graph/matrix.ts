/** Matrix products and their gradients. */
import { CONTRIB_DOMAIN } from './encode';
import { sumTo } from './arithmetic';
import { reshape, transpose } from './layout';
import type { Dimension, Shape } from './shape';
import type { Tape, Value } from './tape';

export interface Transposed {
  left?: boolean;
  right?: boolean;
}

function productShape(left: Shape, right: Shape, transposed: Transposed): Dimension[] {
  const rows = left.at(transposed.left ? -1 : -2) ?? 1;
  const columns = right.at(transposed.right ? -2 : -1) ?? 1;
  return [...left.slice(0, -2), rows, columns];
}

/** Product of two matrices, not recorded. */
export function matrixProduct(tape: Tape, left: Value, right: Value, transposed: Transposed = {}): Value {
  const shape = productShape(left.shape, right.shape, transposed);
  if (!transposed.left && !transposed.right) return tape.node('MatMul', [left, right], shape);
  const attributes = { transA: Number(transposed.left ?? false), transB: Number(transposed.right ?? false) };
  return tape.node('Gemm', [left, right], shape, { attributes });
}

/** `x` [N, in] times `weight` [in, out], or [out, in] where `transposed`, plus `bias` [out] -> [N, out]. */
export function linear(
  tape: Tape,
  x: Value,
  weight: Value,
  options: { transposed?: boolean; bias?: Value } = {},
): Value {
  const { transposed = false, bias } = options;
  const shape = productShape(x.shape, weight.shape, { right: transposed });
  const output = bias
    ? tape.node('Gemm', [x, weight, bias], shape, { attributes: { transB: Number(transposed) } })
    : matrixProduct(tape, x, weight, { right: transposed });
  return tape.record(output, bias ? [x, weight, bias] : [x, weight], (gradient) => [
    matrixProduct(tape, gradient, weight, { right: !transposed }),
    transposed ? overTokens(tape, gradient, x) : overTokens(tape, x, gradient),
    bias && sumTo(tape, gradient, bias.shape),
  ]);
}

/**
 * left' right of `left` [N, a] and `right` [N, b], a sum over tokens. onnxruntime copies a transposed operand of a product
 * again for every block of the result's columns; turning the narrower one beforehand, and the result where that was
 * `right`, costs less.
 */
function overTokens(tape: Tape, left: Value, right: Value): Value {
  return Number(left.shape[1]) <= Number(right.shape[1])
    ? matrixProduct(tape, turned(tape, left), right)
    : turned(tape, matrixProduct(tape, turned(tape, right), left));
}

/** The transposed matrix, as a stack of one: onnxruntime would fold a plain transpose into the product again. */
function turned(tape: Tape, value: Value): Value {
  const [rows = 1, columns = 1] = value.shape;
  const stacked = reshape(tape, value, [1, rows, columns]);
  return reshape(tape, transpose(tape, stacked, [0, 2, 1]), [columns, rows]);
}

/** `scale` times the products of two stacks of matrices [..., rows, columns], not recorded. */
export function batchedProduct(
  tape: Tape,
  left: Value,
  right: Value,
  options: Transposed & { scale?: number } = {},
): Value {
  const { scale = 1 } = options;
  const shape = productShape(left.shape, right.shape, options);
  if (tape.fused) {
    const attributes = {
      transA: Number(options.left ?? false),
      transB: Number(options.right ?? false),
      alpha: { float: scale },
    };
    return tape.node('FusedMatMul', [left, right], shape, { domain: CONTRIB_DOMAIN, attributes });
  }
  const operands = [
    options.left ? transposedMatrices(tape, left) : left,
    options.right ? transposedMatrices(tape, right) : right,
  ];
  const output = tape.node('MatMul', operands, shape);
  return scale === 1 ? output : tape.node('Mul', [output, tape.scalar(scale)], shape);
}

function transposedMatrices(tape: Tape, value: Value): Value {
  const rank = value.shape.length;
  const perm = [...Array(rank - 2).keys(), rank - 1, rank - 2];
  const shape = perm.map((axis) => value.shape[axis] ?? 1);
  return tape.node('Transpose', [value], shape, { attributes: { perm } });
}
