/** Token arrays as columns: ids as int32, log-probabilities as float64, little endian on every machine. */

export function encodeIntegers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeInt32LE(value, index * 4));
  return bytes;
}

export function decodeIntegers(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.byteLength / 4 }, (_, index) => view.getInt32(index * 4, true));
}

/** Null, a token that was written and not sampled, is stored as NaN, which no log-probability is. */
export function encodeLogprobs(values: readonly (number | null)[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  values.forEach((value, index) => bytes.writeDoubleLE(value ?? NaN, index * 8));
  return bytes;
}

export function decodeLogprobs(bytes: Uint8Array): (number | null)[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.byteLength / 8 }, (_, index) => {
    const value = view.getFloat64(index * 8, true);
    return Number.isNaN(value) ? null : value;
  });
}

/** How many tokens the bytes are of, sampled or not. */
export function countLogprobs(bytes: Uint8Array): number {
  return bytes.byteLength / 8;
}

/** Mean log-probability of the sampled tokens, in nats; null where there is none. */
export function meanLogprob(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let sum = 0;
  let count = 0;
  for (let at = 0; at < bytes.byteLength; at += 8) {
    const value = view.getFloat64(at, true);
    if (Number.isNaN(value)) continue;
    sum += value;
    count += 1;
  }
  return count === 0 ? null : sum / count;
}
