import { AppError } from '@/contract/errors';

/** A seeded stream of draws. The same seed gives the same draws on every machine. */
export interface Random {
  /** Uniform in [0, 1), 53 bits. */
  next(): number;
  /** Uniform in 0 .. count - 1. Throws where `count` is not a positive integer. */
  integer(count: number): number;
  /** One element of a list. Throws where the list is empty. */
  pick<Item>(list: readonly Item[]): Item;
  /** A shuffled copy (Fisher-Yates). */
  shuffle<Item>(list: readonly Item[]): Item[];
}

/** A generator from a 32-bit seed (other integers count modulo 2^32): sfc32, its state filled by the seed's hash. */
export function createRandom(seed: number): Random {
  if (!Number.isSafeInteger(seed)) {
    throw new AppError('invalid_input', `seed must be a safe integer, got ${seed}`);
  }
  const state = Uint32Array.of(mix32(seed), mix32(seed + 0x9e3779b9), mix32(seed ^ 0x85ebca6b), 1);

  function next32(): number {
    const [a = 0, b = 0, c = 0, counter = 0] = state;
    const sum = (a + b + counter) >>> 0;
    state[0] = b ^ (b >>> 9);
    state[1] = c + (c << 3);
    state[2] = ((c << 21) | (c >>> 11)) + sum;
    state[3] = counter + 1;
    return sum;
  }

  // The first outputs of sfc32 still show the seed.
  for (let round = 0; round < 12; round++) next32();

  function next(): number {
    const high = next32() >>> 5;
    const low = next32() >>> 6;
    return (high * 67108864 + low) / 9007199254740992;
  }

  function integer(count: number): number {
    if (!Number.isSafeInteger(count) || count < 1) {
      throw new AppError('invalid_input', `count must be a positive integer, got ${count}`);
    }
    return Math.floor(next() * count);
  }

  return {
    next,
    integer,
    pick(list) {
      if (list.length === 0) throw new AppError('invalid_input', 'cannot pick from an empty list');
      return list[integer(list.length)] as (typeof list)[number];
    },
    shuffle(list) {
      const order = [...list];
      for (let last = order.length - 1; last > 0; last--) {
        const other = integer(last + 1);
        const moved = order[last] as (typeof order)[number];
        order[last] = order[other] as (typeof order)[number];
        order[other] = moved;
      }
      return order;
    },
  };
}

/**
 * A stable 32-bit seed of several parts, e.g. `hashSeed(runSeed, step, taskId, sample, turn)`: MurmurHash3 (32 bit)
 * over the UTF-16 code units of the parts' JSON, so that ('a', 'b') and ('ab') differ, and 1 and '1' do too.
 * Throws where a number is not finite.
 */
export function hashSeed(...parts: readonly (string | number)[]): number {
  const bad = parts.find((part) => typeof part === 'number' && !Number.isFinite(part));
  if (bad !== undefined) throw new AppError('invalid_input', `a part of a seed must be finite, got ${bad}`);
  const text = JSON.stringify(parts);
  let hash = 0;
  for (let index = 0; index < text.length; index++) {
    let block = Math.imul(text.charCodeAt(index), 0xcc9e2d51);
    block = (block << 15) | (block >>> 17);
    hash ^= Math.imul(block, 0x1b873593);
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  return mix32(hash ^ text.length);
}

/** MurmurHash3's finaliser: each bit of the input sways every bit of the output. */
function mix32(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
