const scratch = new DataView(new ArrayBuffer(4));

/** Widens bfloat16 bit patterns to f32; exact. */
export function bfloat16ToFloat32(halves: Uint16Array): Float32Array {
  const words = new Uint32Array(halves.length);
  for (let i = 0; i < halves.length; i++) words[i] = (halves[i] ?? 0) << 16;
  return new Float32Array(words.buffer);
}

/** Rounds f32 to bfloat16 bit patterns, to nearest with ties to even; NaN stays NaN. */
export function float32ToBfloat16(values: Float32Array): Uint16Array {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const halves = new Uint16Array(values.length);
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? 0;
    const isNaN = (word & 0x7fffffff) > 0x7f800000;
    // A NaN whose payload sits in the dropped half would round to infinity, so its quiet bit is set instead.
    halves[i] = isNaN ? (word >>> 16) | 0x40 : (word + 0x7fff + ((word >>> 16) & 1)) >>> 16;
  }
  return halves;
}

/** Widens IEEE half-precision bit patterns to f32; exact. */
export function float16ToFloat32(halves: Uint16Array): Float32Array {
  const values = new Float32Array(halves.length);
  for (let i = 0; i < halves.length; i++) values[i] = widenFloat16(halves[i] ?? 0);
  return values;
}

function widenFloat16(half: number): number {
  const sign = (half & 0x8000) << 16;
  const exponent = (half >>> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return (sign ? -1 : 1) * fraction * 2 ** -24;
  // Exponent 31 means infinity or NaN in both formats; all others are re-biased from 15 to 127.
  const widened = exponent === 31 ? 0xff : exponent + 112;
  scratch.setUint32(0, sign | (widened << 23) | (fraction << 13));
  return scratch.getFloat32(0);
}
