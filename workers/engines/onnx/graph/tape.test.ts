import { describe, expect, it } from 'vitest';
import { add, multiply, sum } from './arithmetic';
import { reshape } from './layout';
import { broadcastShape, inferredSizes } from './shape';
import { Tape } from './tape';

describe('Tape', () => {
  it('names a parameter that does not reach the loss', () => {
    const tape = new Tape('f64', false);
    const used = tape.input('used', 'f64', [2], true);
    const unused = tape.input('unused', 'f64', [2], true);
    const loss = sum(tape, multiply(tape, used, used));
    const parameters = new Map([
      ['used', used],
      ['unused', unused],
    ]);
    expect(() => tape.gradients(loss, parameters)).toThrow('parameter unused does not reach the loss');
  });

  it('gives each gradient the shape of its parameter, through broadcasts and reshapes', () => {
    const tape = new Tape('f64', false);
    const matrix = tape.input('matrix', 'f64', ['rows', 3], true);
    const row = tape.input('row', 'f64', [3], true);
    const column = tape.input('column', 'f64', [1, 1], true);
    const wide = add(tape, multiply(tape, matrix, row), column);
    const loss = sum(tape, reshape(tape, wide, ['rows']));
    const gradients = tape.gradients(
      loss,
      new Map([
        ['matrix', matrix],
        ['row', row],
        ['column', column],
      ]),
    );
    expect([...gradients.values()].map(({ shape }) => shape)).toEqual([['rows', 3], [3], [1, 1]]);
  });

  it('encodes what an output depends on, and nothing else', () => {
    const encoded = (unusedNodes: number) => {
      const tape = new Tape('f64', false);
      const input = tape.input('input', 'f64', [2]);
      tape.output(tape.node('Exp', [tape.node('Neg', [input], [2])], [2]), 'result');
      for (let i = 0; i < unusedNodes; i++) multiply(tape, input, tape.constant([3, i], [2]));
      return tape.encode();
    };
    expect(encoded(2)).toEqual(encoded(0));
    expect(Buffer.from(encoded(0)).toString('latin1')).toMatch(/Neg.*Exp/s);
  });

  it('refuses fused operators in f64', () => {
    expect(() => new Tape('f64', true)).toThrow('fused operators need f32, got f64');
  });
});

describe('broadcastShape', () => {
  it('aligns shapes at their ends and stretches sizes of 1', () => {
    expect(broadcastShape(['rows', 1, 4], [3, 1])).toEqual(['rows', 3, 4]);
    expect(broadcastShape([], [2])).toEqual([2]);
    expect(() => broadcastShape(['rows', 2], [3])).toThrow('cannot broadcast [rows, 2] with [3]');
    expect(() => broadcastShape(['rows'], ['tokens'])).toThrow('cannot broadcast [rows] with [tokens]');
  });
});

describe('inferredSizes', () => {
  it('leaves one named dimension to be inferred and refuses two', () => {
    expect(inferredSizes(['rows', 2])).toEqual([-1, 2]);
    expect(() => inferredSizes(['rows', 'tokens'])).toThrow('more than one dimension to infer');
  });
});
