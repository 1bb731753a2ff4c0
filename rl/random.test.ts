import { describe, expect, it } from 'vitest';
import { createRandom, hashSeed } from './random';

describe('createRandom', () => {
  it('repeats its draws for the same seed and not for another', () => {
    const draws = (seed: number) => {
      const random = createRandom(seed);
      return Array.from({ length: 20 }, () => random.next());
    };
    expect(draws(7)).toEqual(draws(7));
    expect(draws(7)).not.toEqual(draws(8));
  });

  it('keeps giving the very values recorded runs were made with', () => {
    const random = createRandom(1);
    expect([random.integer(1000), random.integer(1000), random.integer(1000)]).toMatchInlineSnapshot(`
      [
        663,
        364,
        419,
      ]
    `);
  });

  it('is uniform: mean, variance and each bucket of ten', () => {
    const random = createRandom(3);
    const count = 100_000;
    const buckets = new Array<number>(10).fill(0);
    let sum = 0;
    let squares = 0;
    for (let draw = 0; draw < count; draw++) {
      const value = random.next();
      sum += value;
      squares += value * value;
      const bucket = Math.floor(value * 10);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    }
    expect(sum / count).toBeCloseTo(1 / 2, 2);
    expect(squares / count).toBeCloseTo(1 / 3, 2);
    for (const bucket of buckets) expect(Math.abs(bucket - count / 10)).toBeLessThan(500);
  });

  it('gives neighbouring seeds unrelated first draws', () => {
    const firsts = Array.from({ length: 10_000 }, (_, seed) => createRandom(seed).next());
    expect(new Set(firsts).size).toBe(10_000);
    expect(firsts.reduce((sum, value) => sum + value, 0) / 10_000).toBeCloseTo(0.5, 1);
    let product = 0;
    for (let seed = 1; seed < firsts.length; seed++) {
      product += ((firsts[seed] ?? 0) - 0.5) * ((firsts[seed - 1] ?? 0) - 0.5);
    }
    expect(Math.abs(product / 10_000)).toBeLessThan(0.005);
  });

  it('shuffles a copy that holds the same elements', () => {
    const list = [1, 2, 3, 4, 5, 6, 7, 8];
    const shuffled = createRandom(2).shuffle(list);
    expect(list).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(shuffled).not.toEqual(list);
    expect([...shuffled].sort()).toEqual(list);
  });

  it('picks every element of a list', () => {
    const random = createRandom(5);
    expect(new Set(Array.from({ length: 100 }, () => random.pick(['a', 'b', 'c']))).size).toBe(3);
  });

  it('refuses an empty list, a count of zero and a seed that is no integer', () => {
    expect(() => createRandom(1).pick([])).toThrow(/empty list/);
    expect(() => createRandom(1).integer(0)).toThrow(/got 0/);
    expect(() => createRandom(1.5)).toThrow(/got 1.5/);
  });
});

describe('hashSeed', () => {
  it('is stable', () => {
    expect(hashSeed(1, 20, 'babyai/Open/7', 3, 4)).toMatchInlineSnapshot(`2822553386`);
  });

  it('tells apart parts that look alike when joined', () => {
    const hashes = [hashSeed('a', 'b'), hashSeed('ab'), hashSeed('b', 'a'), hashSeed(1), hashSeed('1')];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('spreads neighbouring parts over 32 bits', () => {
    const hashes = new Set<number>();
    for (let step = 0; step < 100; step++) {
      for (let sample = 0; sample < 100; sample++) hashes.add(hashSeed(1, step, 'task', sample));
    }
    expect(hashes.size).toBeGreaterThan(9_990);
    for (const hash of hashes) expect(Number.isInteger(hash) && hash >= 0 && hash < 2 ** 32).toBe(true);
  });

  it('refuses a number that is not finite', () => {
    expect(() => hashSeed(1, Number.NaN)).toThrow(/got NaN/);
  });
});
