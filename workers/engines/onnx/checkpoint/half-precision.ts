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

/** From this magnitude on f32 rounds to infinity: each type's largest number and half a step. */
export const BFLOAT16_LIMIT = 2 ** 128 * (1 - 2 ** -9);
export const FLOAT16_LIMIT = 65_520;

/** Rounds f32 to IEEE half-precision bit patterns, to nearest with ties to even; from `FLOAT16_LIMIT` on infinity; NaN stays NaN. */
export function float32ToFloat16(values: Float32Array): Uint16Array {
  return Uint16Array.from(values, narrowFloat16);
}

function narrowFloat16(value: number): number {
  scratch.setFloat32(0, value);
  const sign = (scratch.getUint32(0) >>> 16) & 0x8000;
  const magnitude = Math.abs(value);
  if (Number.isNaN(value)) return sign | 0x7e00;
  if (magnitude >= FLOAT16_LIMIT) return sign | 0x7c00;
  // The step between neighbours: 2^-24 below 2^-14, then 2^-10 of the power of two below the value.
  const exponent = Math.max(-14, Math.floor(Math.log2(magnitude)));
  const steps = roundHalfEven(magnitude / 2 ** (exponent - 10));
  // Rounding up to the next power of two carries into the exponent by itself.
  return sign | (((exponent + 14) << 10) + steps);
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
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
