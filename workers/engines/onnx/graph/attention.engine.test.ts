import { Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { createRandom } from '@/rl/random';
import { openSession } from '../session';
import { multiply, sum } from './arithmetic';
import { attention } from './attention';
import { Tape, type Precision } from './tape';

const HEADS = 2;
const SIZE = 4;
const HIDDEN = -1e9;

type Name = 'query' | 'key' | 'value';

/** A row of two sequences side by side: a position sees those before it of its own half, and itself. */
function sees(positions: number, query: number, key: number): boolean {
  const half = positions / 2 + 5;
  return key <= query && query < half === key < half;
}

function inputs(positions: number) {
  const random = createRandom(4);
  const draw = (count: number) => Float64Array.from({ length: count }, () => random.next() * 2 - 1);
  const mask = new Float64Array(positions * positions);
  for (let query = 0; query < positions; query++)
    for (let key = 0; key < positions; key++)
      mask[query * positions + key] = sees(positions, query, key) ? 0 : HIDDEN;
  return {
    arrays: {
      query: draw(HEADS * positions * SIZE),
      key: draw(positions * SIZE),
      value: draw(positions * SIZE),
    },
    weights: draw(HEADS * positions * SIZE),
    mask,
  };
}

/** The sum of attention times `weights`, and its gradient, by the graph: one row, two heads that share keys and values. */
async function byGraph(positions: number, precision: Precision, given = inputs(positions)) {
  const tape = new Tape(precision, precision === 'f32');
  const shapes = {
    query: [1, HEADS, positions, SIZE],
    key: [1, 1, positions, SIZE],
    value: [1, 1, positions, SIZE],
  };
  const value = (name: Name) => tape.input(name, precision, ['rows', ...shapes[name].slice(1)], true);
  const values = { query: value('query'), key: value('key'), value: value('value') };
  const mask = tape.input('mask', precision, ['rows', 1, positions, positions]);
  const weights = tape.input('weights', precision, ['rows', ...shapes.query.slice(1)]);
  const loss = sum(tape, multiply(tape, attention(tape, { ...values, mask }), weights));
  tape.output(loss, 'loss');
  for (const [name, gradient] of tape.gradients(loss, new Map(Object.entries(values))))
    tape.output(gradient, `gradient.${name}`);
  const tensor = (data: Float64Array, shape: number[]) =>
    precision === 'f64'
      ? new Tensor('float64', data, shape)
      : new Tensor('float32', Float32Array.from(data), shape);
  const session = await openSession(tape.encode());
  const outputs = await session.run({
    query: tensor(given.arrays.query, shapes.query),
    key: tensor(given.arrays.key, shapes.key),
    value: tensor(given.arrays.value, shapes.value),
    mask: tensor(given.mask, [1, 1, positions, positions]),
    weights: tensor(given.weights, shapes.query),
  });
  await session.release();
  const numbers = (name: string) => Array.from(outputs[name]?.data as Float32Array | Float64Array);
  return {
    loss: numbers('loss')[0] ?? NaN,
    gradient: (name: Name) => numbers(`gradient.${name}`),
  };
}

/** The same sum, position by position as the formula has it. */
function byHand(positions: number, { arrays, weights }: ReturnType<typeof inputs>): number {
  const at = (array: Float64Array, position: number, component: number) =>
    array[position * SIZE + component] ?? NaN;
  let total = 0;
  for (let row = 0; row < HEADS * positions; row++) {
    const visible = [...Array(positions).keys()].filter((key) => sees(positions, row % positions, key));
    const exponentials = visible.map((key) => {
      let score = 0;
      for (let i = 0; i < SIZE; i++) score += at(arrays.query, row, i) * at(arrays.key, key, i);
      return Math.exp(score / Math.sqrt(SIZE));
    });
    const norm = exponentials.reduce((left, right) => left + right, 0);
    visible.forEach((key, index) => {
      for (let i = 0; i < SIZE; i++)
        total += ((exponentials[index] ?? NaN) / norm) * at(arrays.value, key, i) * at(weights, row, i);
    });
  }
  return total;
}

describe.each([96, 256])('attention over %i positions', (positions) => {
  it('is what the formula gives, in f64 and with fused operators in f32', async () => {
    const expected = byHand(positions, inputs(positions));
    expect((await byGraph(positions, 'f64')).loss).toBeCloseTo(expected, 9);
    expect((await byGraph(positions, 'f32')).loss).toBeCloseTo(expected, 3);
  });

  it('has the gradient that central differences of the formula give, first and last positions included', async () => {
    const exact = await byGraph(positions, 'f64');
    const rounded = await byGraph(positions, 'f32');
    for (const name of ['query', 'key', 'value'] as const) {
      const count = inputs(positions).arrays[name].length;
      for (const index of [0, 130, count >> 1, count - 140, count - 1]) {
        const shifted = (by: number) => {
          const moved = inputs(positions);
          moved.arrays[name][index] = (moved.arrays[name][index] ?? NaN) + by;
          return byHand(positions, moved);
        };
        const numeric = (shifted(1e-5) - shifted(-1e-5)) / 2e-5;
        expect(exact.gradient(name)[index]).toBeCloseTo(numeric, 6);
        expect(rounded.gradient(name)[index]).toBeCloseTo(numeric, 4);
      }
    }
  });
});
