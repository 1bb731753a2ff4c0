import { closeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, describe, expect, it } from 'vitest';
import { openVectorFile, readVector, vectorFileDir, writeVector } from './vector-file';

const descriptor = openVectorFile(vectorFileDir(1024));
afterAll(() => closeSync(descriptor));

describe('a vector file', () => {
  it('gives back what was last written, views of larger arrays included', () => {
    writeVector(descriptor, Float32Array.of(1, 2, 3, 4));
    const whole = Float32Array.of(0, 5, -6.5, 0);
    writeVector(descriptor, whole.subarray(1, 3));
    expect(readVector(descriptor, new Float32Array(2))).toEqual(Float32Array.of(5, -6.5));
  });

  it('names how much it lacks', () => {
    writeVector(descriptor, Float32Array.of(1, 2, 3, 4));
    expect(() => readVector(descriptor, new Float32Array(5))).toThrow(
      'a vector file holds 16 bytes, expected 20',
    );
  });

  it('lies with the temporary files where memory has no room', () => {
    expect(vectorFileDir(Number.MAX_SAFE_INTEGER)).toBe(tmpdir());
  });
});
