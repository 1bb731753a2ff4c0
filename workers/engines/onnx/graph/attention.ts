/** Grouped-query attention and rotary positions. Shapes: B rows, H query heads, K key-value heads, T positions, D head size. */
import { AppError } from '@/contract/errors';
import { add, multiply, subtract, sumLast } from './arithmetic';
import { CONTRIB_DOMAIN } from './encode';
import { reshape } from './layout';
import { batchedProduct } from './matrix';
import type { Tape, Value } from './tape';

/**
 * softmax(q k' / sqrt(D) + mask) v, query head h reading key-value head floor(h K / H).
 * `query` [B, H, T, D]; `key`, `value` [B, K, T, D]; `mask` [B, 1, T, T] is added to the scores -> [B, H, T, D].
 * The backward pass takes rowsum(dP * P) from rowsum(dO * O), which is T / D times smaller: FlashAttention-2,
 * Dao 2023, algorithm 2.
 */
export function attention(
  tape: Tape,
  inputs: { query: Value; key: Value; value: Value; mask: Value },
): Value {
  const { query, key, value, mask } = inputs;
  const [rows = 1, heads, positions, size] = query.shape;
  const keyValueHeads = key.shape[1];
  if (
    typeof heads !== 'number' ||
    typeof positions !== 'number' ||
    typeof size !== 'number' ||
    typeof keyValueHeads !== 'number'
  )
    throw new AppError('internal', 'attention needs fixed sizes of heads, positions and head');
  const scale = 1 / Math.sqrt(size);
  const groupedPositions = (heads / keyValueHeads) * positions;
  // Query heads of one key-value head are rows of one matrix, so keys and values are never repeated.
  const grouped = reshape(tape, query, [rows, keyValueHeads, groupedPositions, size]);
  const scores = batchedProduct(tape, grouped, key, { right: true, scale });
  const byHead = [rows, heads, positions, positions];
  const masked = tape.node('Add', [reshape(tape, scores, byHead), mask], byHead);
  const softmax = tape.node('Softmax', [masked], byHead, { attributes: { axis: -1 } });
  const weights = reshape(tape, softmax, scores.shape);
  const mixed = batchedProduct(tape, weights, value);
  tape.record(mixed, [grouped, key, value], (gradient) => {
    const rowSums = sumLast(tape, multiply(tape, gradient, mixed));
    const weightsGradient = batchedProduct(tape, gradient, value, { right: true });
    const scoresGradient = multiply(tape, weights, subtract(tape, weightsGradient, rowSums));
    return [
      batchedProduct(tape, scoresGradient, key, { scale }),
      batchedProduct(tape, scoresGradient, grouped, { left: true, scale }),
      batchedProduct(tape, weights, gradient, { left: true }),
    ];
  });
  return reshape(tape, mixed, query.shape);
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
