/** Grouped-query attention and rotary positions. Shapes: B rows, H query heads, K key-value heads, T positions, D head size. */
import { AppError } from '@/contract/errors';
import { add, multiply, sumLast } from './arithmetic';
import { CONTRIB_DOMAIN } from './encode';
import { concatenate, prefix, reshape, split, transpose } from './layout';
import { batchedProduct } from './matrix';
import type { Shape } from './shape';
import type { Tape, Value } from './tape';

/** Query positions that are computed together; see `attention`. */
const BLOCK = 128;

interface AttentionInputs {
  /** [B, H, T, D]. */
  query: Value;
  /** [B, K, T, D]. */
  key: Value;
  /** [B, K, T, D]. */
  value: Value;
  /** Added to the scores, [B, 1, T, T]: what a query must not see is hidden, all keys after it among them. */
  mask: Value;
}

/**
 * softmax(q k' / sqrt(D) + mask) v -> [B, H, T, D], query head h reading key-value head floor(h K / H).
 * A block of queries is computed against the keys up to its end alone: those after it are hidden from all of it, and
 * with many blocks nearly half of the square is left out.
 */
export function attention(tape: Tape, inputs: AttentionInputs): Value {
  const { query, key, value, mask } = inputs;
  const positions = Number(query.shape[2]);
  if (positions <= BLOCK || positions % BLOCK !== 0) return attend(tape, inputs);
  const blocks = split(tape, query, 2, Array<number>(positions / BLOCK).fill(BLOCK));
  const mixed = blocks.map((block, index) => {
    const end = (index + 1) * BLOCK;
    return attend(tape, {
      query: block,
      key: prefix(tape, key, 2, end),
      value: prefix(tape, value, 2, end),
      mask: maskOfBlock(tape, mask, index * BLOCK, end),
    });
  });
  return concatenate(tape, mixed, 2);
}

function maskOfBlock(tape: Tape, mask: Value, start: number, end: number): Value {
  const shape = mask.shape.with(2, end - start).with(3, end);
  const bounds = [tape.integers([start, 0]), tape.integers([end, end]), tape.integers([2, 3])];
  return tape.node('Slice', [mask, ...bounds], shape);
}

/**
 * Attention of queries [B, H, T, D] to keys and values [B, K, S, D] under a mask [B, 1, T, S].
 * The backward pass takes rowsum(dP * P) from rowsum(dO * O), which is S / D times smaller: FlashAttention-2,
 * Dao 2023, algorithm 2.
 */
function attend(tape: Tape, { query, key, value, mask }: AttentionInputs): Value {
  const [rows = 1, heads, positions, size] = query.shape;
  const [, keyValueHeads, keys] = key.shape;
  if (
    typeof heads !== 'number' ||
    typeof positions !== 'number' ||
    typeof size !== 'number' ||
    typeof keyValueHeads !== 'number' ||
    typeof keys !== 'number'
  )
    throw new AppError('internal', 'attention needs fixed sizes of heads, positions and head');
  const scale = 1 / Math.sqrt(size);
  const groupedPositions = (heads / keyValueHeads) * positions;
  // Query heads of one key-value head are rows of one matrix, so keys and values are never repeated.
  const grouped = reshape(tape, query, [rows, keyValueHeads, groupedPositions, size]);
  const scores = batchedProduct(tape, grouped, key, { right: true, scale });
  const byHead = [rows, heads, positions, keys];
  const masked = tape.node('Add', [reshape(tape, scores, byHead), mask], byHead);
  const softmax = tape.node('Softmax', [masked], byHead, { attributes: { axis: -1 } });
  const weights = reshape(tape, softmax, scores.shape);
  const mixed = batchedProduct(tape, weights, value);
  tape.record(mixed, [grouped, key, value], (gradient) => {
    const scoresGradient = multiply(tape, weights, centredWeightsGradient(tape, gradient, mixed, value));
    return [
      batchedProduct(tape, scoresGradient, key, { scale }),
      leftTransposedProduct(tape, scoresGradient, grouped, scale),
      leftTransposedProduct(tape, weights, gradient),
    ];
  });
  return reshape(tape, mixed, query.shape);
}

/**
 * dP - rowsum(dP * P) of the weights P, dP = dO v'. One more column, of the row sums beside dO and of -1 beside v,
 * subtracts them within the product, which saves a pass over the square.
 */
function centredWeightsGradient(tape: Tape, gradient: Value, mixed: Value, value: Value): Value {
  const withColumn = (shape: Shape) => shape.with(-1, Number(shape.at(-1)) + 1);
  const rowSums = sumLast(tape, multiply(tape, gradient, mixed));
  const left = tape.node('Concat', [gradient, rowSums], withColumn(gradient.shape), {
    attributes: { axis: -1 },
  });
  const columnAfter = tape.integers([...value.shape.map(() => 0), ...value.shape.slice(1).map(() => 0), 1]);
  const right = tape.node('Pad', [value, columnAfter, tape.scalar(-1)], withColumn(value.shape));
  return batchedProduct(tape, left, right, { right: true });
}

/**
 * `scale` times left' right for wide `left` and narrow `right`, as (right' left)': onnxruntime copies a transposed left
 * operand once for every few of the result's columns, so the narrow one had better be that.
 */
function leftTransposedProduct(tape: Tape, left: Value, right: Value, scale = 1): Value {
  return transpose(tape, batchedProduct(tape, right, left, { left: true, scale }), [0, 1, 3, 2]);
}

/** What turns heads to their positions; see `rotaryTables`. */
export interface Rotary {
  apply(value: Value): Value;
}

/**
 * Rotary position embedding in half-split form (Su et al. 2021, as Qwen2 and Llama lay it out): component i turns
 * with component i + D/2 by the angle p theta^(-2i/D). `positions` i64 [B, T] holds each p < `maxPositions`.
 */
export function rotaryEmbedding(
  tape: Tape,
  positions: Value,
  options: { size: number; theta: number; maxPositions: number },
): Rotary {
  const { size } = options;
  const [rows = 1, length = 1] = positions.shape;
  // The fused operator refuses tables shorter than a row, though a packed row's positions stay below its length.
  const maxPositions = Math.max(options.maxPositions, Number(length));
  const { cos, sin } = rotaryTables({ ...options, maxPositions });
  const half = size / 2;
  const tableShape = [maxPositions, half];
  const cosTable = tape.constant(cos, tableShape);
  const sinTable = tape.constant(sin, tableShape);
  const negatedSinTable = tape.constant(
    sin.map((value) => -value),
    tableShape,
  );
  // A rotation is orthogonal: the gradient is turned back.
  const record = (value: Value, turn: (value: Value, backwards: boolean) => Value) =>
    tape.record(turn(value, false), [value], (gradient) => [turn(gradient, true)]);

  if (tape.fused)
    return {
      apply: (value) =>
        record(value, (turned, backwards) =>
          tape.node(
            'RotaryEmbedding',
            [turned, positions, cosTable, backwards ? negatedSinTable : sinTable],
            turned.shape,
            { domain: CONTRIB_DOMAIN, attributes: { interleaved: 0 } },
          ),
        ),
    };

  const atPositions = (table: Value) => {
    const gathered = tape.node('Gather', [table, positions], [rows, length, half], {
      attributes: { axis: 0 },
    });
    const doubled = tape.node('Concat', [gathered, gathered], [rows, length, size], {
      attributes: { axis: -1 },
    });
    return reshape(tape, doubled, [rows, 1, length, size]);
  };
  const cosines = atPositions(cosTable);
  const sines = atPositions(sinTable);
  const negatedSines = atPositions(negatedSinTable);
  return {
    apply: (value) =>
      record(value, (turned, backwards) =>
        plainRotation(tape, turned, cosines, backwards ? negatedSines : sines),
      ),
  };
}

function plainRotation(tape: Tape, value: Value, cosines: Value, sines: Value): Value {
  const size = Number(value.shape.at(-1));
  const halfShape = [...value.shape.slice(0, -1), size / 2];
  const [first, second] = tape.multiNode(
    'Split',
    [value, tape.integers([size / 2, size / 2])],
    [halfShape, halfShape],
    { attributes: { axis: -1 } },
  );
  if (!first || !second) throw new AppError('internal', 'a head splits into two halves');
  const quarterTurn = tape.node('Concat', [tape.node('Neg', [second], halfShape), first], value.shape, {
    attributes: { axis: -1 },
  });
  return add(
    tape,
    tape.node('Mul', [value, cosines], value.shape),
    tape.node('Mul', [quarterTurn, sines], value.shape),
  );
}

/** Cosines and sines of p theta^(-2i/D), each [maxPositions, D/2] row-major. */
export function rotaryTables(options: { size: number; theta: number; maxPositions: number }): {
  cos: Float64Array;
  sin: Float64Array;
} {
  const { size, theta, maxPositions } = options;
  const half = size / 2;
  const cos = new Float64Array(maxPositions * half);
  const sin = new Float64Array(maxPositions * half);
  for (let position = 0; position < maxPositions; position++) {
    for (let component = 0; component < half; component++) {
      const angle = position / Math.pow(theta, (2 * component) / size);
      cos[position * half + component] = Math.cos(angle);
      sin[position * half + component] = Math.sin(angle);
    }
  }
  return { cos, sin };
}
