import { AppError } from '@/contract/errors';

const POOL_WORDS = 4;
const INITIAL_A = 0x43b0d7e5;
const MULTIPLIER_A = 0x931e8875;
const INITIAL_B = 0x8b51f9dd;
const MULTIPLIER_B = 0x58f38ded;
const MIX_LEFT = 0xca01f9dd;
const MIX_RIGHT = 0x4973f715;

/** Whether a number can seed layouts: an integer of 0 .. 2^53 - 1. */
export function isLayoutSeed(seed: number): boolean {
  return Number.isSafeInteger(seed) && seed >= 0;
}

/**
 * `numpy.random.SeedSequence(seed).generate_state(count, numpy.uint32)`: the words that seed a bit generator.
 * Throws where `seed` is not an integer of 0 .. 2^53 - 1.
 */
export function seedSequence(seed: number, count: number): Uint32Array {
  if (!isLayoutSeed(seed)) {
    throw new AppError('invalid_input', `layout seed must be an integer of 0 .. 2^53 - 1, got ${seed}`);
  }
  const pool = entropyPool(seed >>> 0, Math.floor(seed / 4294967296));
  const words = new Uint32Array(count);
  let constant = INITIAL_B;
  for (let index = 0; index < count; index++) {
    let word = (pool[index % POOL_WORDS] ?? 0) ^ constant;
    constant = Math.imul(constant, MULTIPLIER_B);
    word = Math.imul(word, constant);
    words[index] = word ^ (word >>> 16);
  }
  return words;
}

function entropyPool(low: number, high: number): Uint32Array {
  const pool = new Uint32Array(POOL_WORDS);
  let constant = INITIAL_A;
  const hash = (value: number): number => {
    let word = value ^ constant;
    constant = Math.imul(constant, MULTIPLIER_A);
    word = Math.imul(word, constant);
    return word ^ (word >>> 16);
  };
  const entropy = [low, high, 0, 0];
  entropy.forEach((word, index) => (pool[index] = hash(word)));
  for (let source = 0; source < POOL_WORDS; source++) {
    for (let target = 0; target < POOL_WORDS; target++) {
      if (source === target) continue;
      const mixed = Math.imul(MIX_LEFT, pool[target] ?? 0) - Math.imul(MIX_RIGHT, hash(pool[source] ?? 0));
      pool[target] = mixed ^ (mixed >>> 16);
    }
  }
  return pool;
}
