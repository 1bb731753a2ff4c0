import { describe, expect, it } from 'vitest';
import { encodeModel } from './encode';
import { ProtobufWriter } from './protobuf';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('ProtobufWriter', () => {
  it('writes integers as varints, a negative one in ten bytes', () => {
    expect(hex(new ProtobufWriter().integer(1, 150).finish())).toBe('089601');
    expect(hex(new ProtobufWriter().integer(20, 1).finish())).toBe('a00101');
    expect(hex(new ProtobufWriter().integer(1, -1).finish())).toBe('08' + 'ff'.repeat(9) + '01');
    expect(hex(new ProtobufWriter().integer(1, 2 ** 40).finish())).toBe('08808080808020');
  });

  it('writes strings, floats and nested messages', () => {
    expect(hex(new ProtobufWriter().string(2, 'testing').finish())).toBe('120774657374696e67');
    expect(hex(new ProtobufWriter().float(2, 1).finish())).toBe('150000803f');
    const inner = new ProtobufWriter().integer(1, 150);
    expect(hex(new ProtobufWriter().message(3, inner).finish())).toBe('1a03089601');
  });
});

describe('encodeModel', () => {
  it('encodes a one-node model byte for byte', () => {
    const bytes = encodeModel({
      nodes: [{ operator: 'Add', inputs: ['x', 'c'], outputs: ['y'], attributes: { axis: -1 } }],
      initializers: [{ name: 'c', type: 'f32', shape: [2], data: Float32Array.of(1, -2) }],
      inputs: [{ name: 'x', type: 'f32', shape: ['N', 2] }],
      outputs: [{ name: 'y', type: 'f32', shape: ['N', 2] }],
    });
    const name = '73746570' + '73636f7065';
    // ValueInfo: name, type { tensor { f32, shape { 'N', 2 } } }.
    const value = (letter: string) => `0a01${letter}120f0a0d080112090a0312014e0a020802`;
    const axis = '0a0461786973' + '18' + 'ff'.repeat(9) + '01' + 'a00102';
    const nodeBody = '0a0178' + '0a0163' + '120179' + '2203416464' + '2a14' + axis;
    const constant = '0802' + '1001' + '420163' + '4a08' + '0000803f' + '000000c0';
    const x = value('78');
    const y = value('79');
    const length = (body: string) => (body.length / 2).toString(16).padStart(2, '0');
    const graph =
      '0a' +
      length(nodeBody) +
      nodeBody +
      '1209' +
      name +
      '2a' +
      length(constant) +
      constant +
      '5a' +
      length(x) +
      x +
      '62' +
      length(y) +
      y;
    const opsets = '42040a001012' + '42110a0d' + Buffer.from('com.microsoft').toString('hex') + '1001';
    expect(hex(bytes)).toBe('0808' + '1209' + name + '3a' + length(graph) + graph + opsets);
  });

  it('names an initializer whose data do not fit its shape', () => {
    const bad = { name: 'c', type: 'f32', shape: [3], data: Float32Array.of(1) } as const;
    expect(() => encodeModel({ nodes: [], initializers: [bad], inputs: [], outputs: [] })).toThrow(
      /initializer c of shape \[3\] needs 3 elements, has 1/,
    );
  });
});
