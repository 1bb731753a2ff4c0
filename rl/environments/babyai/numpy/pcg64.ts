import { seedSequence } from './seed-sequence';

/** PCG64's 128-bit multiplier as 32-bit limbs, lowest first. */
const MULTIPLIER = [0x9fccf645, 0x4385df64, 0x1fc65da4, 0x2360ed05] as const;
const [M0, M1, M2, M3] = MULTIPLIER;
const TWO_32 = 4294967296;

/**
 * `numpy.random.Generator(PCG64(seed))`, bit for bit, for the draws BabyAI makes. (PCG XSL-RR 128/64, O'Neill 2014;
 * bounded integers after Lemire 2019, as numpy buffers them.) 128-bit numbers are four 32-bit limbs, lowest first.
 */
export class Pcg64 {
  private s0 = 0;
  private s1 = 0;
  private s2 = 0;
  private s3 = 0;
  /** The increment. */
  private readonly i0: number;
  private readonly i1: number;
  private readonly i2: number;
  private readonly i3: number;
  /** The last 64-bit output. */
  private high = 0;
  private low = 0;
  /** numpy hands out the low half of an output first and keeps the high half for the next 32-bit draw. */
  private buffered = false;
  private buffer = 0;

  constructor(seed: number) {
    // generate_state gives 64-bit words, low half first; PCG64 reads the high word first.
    const [a2 = 0, a3 = 0, a0 = 0, a1 = 0, b2 = 0, b3 = 0, b0 = 0, b1 = 0] = seedSequence(seed, 8);
    // The stream number b shifted left once, lowest bit set: PCG's increment must be odd.
    this.i0 = ((b0 << 1) | 1) >>> 0;
    this.i1 = ((b1 << 1) | (b0 >>> 31)) >>> 0;
    this.i2 = ((b2 << 1) | (b1 >>> 31)) >>> 0;
    this.i3 = ((b3 << 1) | (b2 >>> 31)) >>> 0;
    this.advance();
    this.add(a0, a1, a2, a3);
    this.advance();
  }

  /** The next 64-bit output as two 32-bit halves. */
  next64(): { high: number; low: number } {
    this.output();
    return { high: this.high, low: this.low };
  }

  /** The next 32-bit output. */
  next32(): number {
    if (this.buffered) {
      this.buffered = false;
      return this.buffer;
    }
    this.output();
    this.buffered = true;
    this.buffer = this.high;
    return this.low;
  }

  /** `Generator.integers(low, high)`: uniform in low .. high - 1, for ranges below 2^32; one value costs no draw. */
  integers(low: number, high: number): number {
    const count = high - low;
    if (count <= 1) return low;
    let draw = this.next32();
    let fraction = Math.imul(draw, count) >>> 0;
    if (fraction < count) {
      const threshold = (TWO_32 - count) % count;
      while (fraction < threshold) {
        draw = this.next32();
        fraction = Math.imul(draw, count) >>> 0;
      }
    }
    return low + multiplyHigh(draw, count >>> 0);
  }

  /** `Generator.uniform(low, high)`: 53 bits; leaves the 32-bit buffer alone. */
  uniform(low: number, high: number): number {
    this.output();
    const fraction = (this.high * 2097152 + (this.low >>> 11)) / 9007199254740992;
    return low + (high - low) * fraction;
  }

  /** Advances the state and folds it: the two halves xored, rotated right by the top six bits. */
  private output(): void {
    this.advance();
    const high = this.s3 ^ this.s1;
    const low = this.s2 ^ this.s0;
    const rotation = this.s3 >>> 26;
    const [upper, lower] = rotation >= 32 ? [low, high] : [high, low];
    const shift = rotation & 31;
    if (shift === 0) {
      this.high = upper >>> 0;
      this.low = lower >>> 0;
    } else {
      this.high = ((upper >>> shift) | (lower << (32 - shift))) >>> 0;
      this.low = ((lower >>> shift) | (upper << (32 - shift))) >>> 0;
    }
  }

  /** state = state * multiplier + increment, modulo 2^128. */
  private advance(): void {
    const { s0, s1, s2, s3 } = this;
    // Column sums of the schoolbook product; each stays below 2^35, so doubles hold them exactly.
    const column1 = multiplyHigh(s0, M0) + low32(s0, M1) + low32(s1, M0);
    const carry1 = Math.floor(column1 / TWO_32);
    const column2 =
      carry1 + multiplyHigh(s0, M1) + multiplyHigh(s1, M0) + low32(s0, M2) + low32(s1, M1) + low32(s2, M0);
    const carry2 = Math.floor(column2 / TWO_32);
    const column3 =
      carry2 +
      multiplyHigh(s0, M2) +
      multiplyHigh(s1, M1) +
      multiplyHigh(s2, M0) +
      low32(s0, M3) +
      low32(s1, M2) +
      low32(s2, M1) +
      low32(s3, M0);
    this.s0 = low32(s0, M0);
    this.s1 = column1 >>> 0;
    this.s2 = column2 >>> 0;
    this.s3 = column3 >>> 0;
    this.add(this.i0, this.i1, this.i2, this.i3);
  }

  private add(a0: number, a1: number, a2: number, a3: number): void {
    const sum0 = this.s0 + a0;
    const sum1 = this.s1 + a1 + (sum0 >= TWO_32 ? 1 : 0);
    const sum2 = this.s2 + a2 + (sum1 >= TWO_32 ? 1 : 0);
    const sum3 = this.s3 + a3 + (sum2 >= TWO_32 ? 1 : 0);
    this.s0 = sum0 >>> 0;
    this.s1 = sum1 >>> 0;
    this.s2 = sum2 >>> 0;
    this.s3 = sum3 >>> 0;
  }
}

function low32(left: number, right: number): number {
  return Math.imul(left, right) >>> 0;
}

/** The upper 32 bits of the 64-bit product of two unsigned 32-bit numbers. */
function multiplyHigh(left: number, right: number): number {
  const leftLow = left & 0xffff;
  const leftHigh = left >>> 16;
  const rightLow = right & 0xffff;
  const rightHigh = right >>> 16;
  const middle = leftHigh * rightLow + ((leftLow * rightLow) >>> 16);
  const other = leftLow * rightHigh + (middle & 0xffff);
  return leftHigh * rightHigh + (middle >>> 16) + (other >>> 16);
}
