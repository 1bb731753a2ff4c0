import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { float16ToFloat32, float32ToFloat16 } from './half-precision';
import { SafetensorsFile, writeSafetensors } from './safetensors';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'safetensors-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

let files = 0;
function newPath(): string {
  return join(dir, `${files++}.safetensors`);
}

/** A file with this header text and these data, or so many zero bytes. */
function fileOf(
  header: string,
  data: number | Uint8Array,
  headerSize = BigInt(Buffer.byteLength(header)),
): string {
  const path = newPath();
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(headerSize);
  writeFileSync(
    path,
    Buffer.concat([size, Buffer.from(header), typeof data === 'number' ? Buffer.alloc(data) : data]),
  );
  return path;
}

function headerOf(
  tensors: Record<string, [dtype: string, shape: number[], begin: number, end: number]>,
): string {
  const entries = Object.entries(tensors).map(([name, [dtype, shape, begin, end]]) => [
    name,
    { dtype, shape, data_offsets: [begin, end] },
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}

async function reading<Result>(
  path: string,
  read: (file: SafetensorsFile) => Promise<Result>,
): Promise<Result> {
  const file = await SafetensorsFile.open(path);
  try {
    return await read(file);
  } finally {
    await file.close();
  }
}

describe('a safetensors file', () => {
  it('gives back every f32 bit, NaN payloads, negative zero and subnormals included', async () => {
    const bits = Uint32Array.of(0x7fc12345, 0xff800001, 0x80000000, 0x00000001, 0x3f800000, 0xff7fffff);
    const path = newPath();
    const odd = Float32Array.of(1, 2, 3);
    await writeSafetensors(
      path,
      [
        { name: 'a', shape: [2, 3], values: new Float32Array(bits.buffer), dtype: 'F32' },
        { name: 'b', shape: [3], values: odd, dtype: 'F32' },
        { name: 'empty', shape: [0, 4], values: new Float32Array(), dtype: 'F32' },
      ],
      { updates: '12' },
    );
    await reading(path, async (file) => {
      expect(file.names).toEqual(['a', 'b', 'empty']);
      expect(file.metadata).toEqual({ updates: '12' });
      expect(new Uint32Array((await file.read('a', [2, 3])).buffer)).toEqual(bits);
      expect(await file.read('b', [3])).toEqual(odd);
      expect(await file.read('empty', [0, 4])).toEqual(new Float32Array());
    });
  });

  it('rounds to bf16 to the nearest, ties to even, and keeps NaN and infinity', async () => {
    const path = newPath();
    // 1 + 2^-8 lies midway between 1 and 1 + 2^-7, 1 + 3 * 2^-8 midway between 1 + 2^-7 and 1 + 2^-6.
    const values = Float32Array.of(
      1 + 2 ** -8,
      1 + 3 * 2 ** -8,
      1 + 2 ** -8 + 2 ** -20,
      -2.5,
      Infinity,
      NaN,
      3.4e38,
    );
    await writeSafetensors(path, [{ name: 'x', shape: [7], values, dtype: 'BF16' }]);
    const expected = [1, 1 + 2 ** -6, 1 + 2 ** -7, -2.5, Infinity, NaN, Infinity];
    expect([...(await reading(path, (file) => file.read('x', [7])))]).toEqual(expected);
  });

  it('reads f16: normal, subnormal, signed zero, infinity and NaN', async () => {
    const halves = Uint16Array.of(0x3c00, 0xc100, 0x0001, 0x8000, 0x7c00, 0x7e00, 0x7bff);
    const path = fileOf(headerOf({ x: ['F16', [7], 0, 14] }), new Uint8Array(halves.buffer));
    const values = await reading(path, (file) => file.read('x', [7]));
    expect([...values]).toEqual([1, -2.5, 2 ** -24, -0, Infinity, NaN, 65504]);
  });

  it('rounds to f16 to the nearest, ties to even, and keeps NaN and infinity', async () => {
    const path = newPath();
    // Midway between 1 and 1 + 2^-10, then between 1 + 2^-10 and 1 + 2^-9; the least subnormal and half of it.
    const values = Float32Array.of(
      1 + 2 ** -11,
      1 + 3 * 2 ** -11,
      1 + 2 ** -11 + 2 ** -20,
      2 ** -24,
      2 ** -25,
      65_519,
      65_520,
      -Infinity,
      NaN,
    );
    await writeSafetensors(path, [{ name: 'x', shape: [9], values, dtype: 'F16' }]);
    const expected = [1, 1 + 2 ** -9, 1 + 2 ** -10, 2 ** -24, 0, 65_504, Infinity, -Infinity, NaN];
    expect([...(await reading(path, (file) => file.read('x', [9])))]).toEqual(expected);
  });

  it('writes back every f16 number as it was read', () => {
    const halves = Uint16Array.from({ length: 65_536 }, (_, pattern) => pattern).filter(
      (pattern) => (pattern & 0x7fff) <= 0x7c00,
    );
    expect(float32ToFloat16(float16ToFloat32(halves))).toEqual(halves);
  });

  it('refuses to overwrite a file and values that do not fill their shape', async () => {
    const path = newPath();
    const tensor = { name: 'x', shape: [2], values: Float32Array.of(1, 2), dtype: 'F32' as const };
    await writeSafetensors(path, [tensor]);
    await expect(writeSafetensors(path, [tensor])).rejects.toThrow('EEXIST');
    await expect(writeSafetensors(newPath(), [{ ...tensor, shape: [3] }])).rejects.toThrow(
      '"x" has 2 values',
    );
  });

  it('refuses another shape, a missing tensor and an integer dtype by name', async () => {
    const path = fileOf(headerOf({ x: ['F32', [2], 0, 8], ids: ['I64', [1], 8, 16] }), 16);
    await reading(path, async (file) => {
      await expect(file.read('x', [1, 2])).rejects.toThrow('tensor "x" has shape [2], expected [1, 2]');
      await expect(file.read('y', [2])).rejects.toThrow('tensor "y" is missing');
      await expect(file.read('ids', [1])).rejects.toThrow('dtype I64, supported are F32, BF16, F16');
    });
  });
});

describe('a malformed safetensors file', () => {
  it.each([
    ['a header size beyond the file', () => fileOf('{}', 0, 500n), 'header size 500 exceeds 2'],
    ['a header size beyond any memory', () => fileOf('{}', 0, 2n ** 63n), 'exceeds 2 bytes'],
    ['a pickle', () => fileOf('\x80\x04}q\x00.', 0), 'does not start with "{"'],
    ['broken JSON', () => fileOf('{"x": ', 0), 'header is not JSON'],
    ['offsets beyond the data', () => fileOf(headerOf({ x: ['F32', [2], 0, 8] }), 4), 'outside the 4 bytes'],
    ['offsets in reverse', () => fileOf(headerOf({ x: ['F32', [2], 8, 0] }), 8), '"x" has offsets [8, 0]'],
    ['a negative offset', () => fileOf(headerOf({ x: ['F32', [2], -8, 0] }), 8), '"x": data_offsets.0'],
    [
      'a shape that does not fill its bytes',
      () => fileOf(headerOf({ x: ['F32', [3], 0, 8] }), 8),
      'is 12 bytes',
    ],
    ['an unknown dtype', () => fileOf(headerOf({ x: ['Q4', [2], 0, 8] }), 8), 'unknown dtype "Q4"'],
    [
      'overlapping tensors',
      () => fileOf(headerOf({ x: ['F32', [2], 0, 8], y: ['F32', [2], 4, 12] }), 12),
      '"y" at offset 4 overlaps',
    ],
    [
      'a gap between tensors',
      () => fileOf(headerOf({ x: ['F32', [1], 0, 4], y: ['F32', [1], 8, 12] }), 12),
      '"y" at offset 8 leaves a gap after offset 4',
    ],
    ['bytes after the tensors', () => fileOf(headerOf({ x: ['F32', [1], 0, 4] }), 12), 'end at offset 4'],
    ['metadata that is not text', () => fileOf('{"__metadata__":{"a":1}}', 0), '__metadata__ is not'],
    ['a file of three bytes', () => emptyFile(3), '3 bytes'],
  ])('with %s is refused, naming the file', async (_, make, message) => {
    const path = make();
    await expect(SafetensorsFile.open(path)).rejects.toThrow(message);
    await expect(SafetensorsFile.open(path)).rejects.toThrow(path);
  });

  it('that does not exist is not found', async () => {
    await expect(SafetensorsFile.open(join(dir, 'absent'))).rejects.toMatchObject({ code: 'not_found' });
  });
});

function emptyFile(bytes: number): string {
  const path = newPath();
  writeFileSync(path, Buffer.alloc(bytes));
  return path;
}
