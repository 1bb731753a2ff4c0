import { describe, expect, it } from 'vitest';
import { type CachedPrefix, partsOf, PrefixStore } from './prefix-store';

/** Values of one head of size 1: each token's is the token itself. */
const BYTES = Float32Array.BYTES_PER_ELEMENT;

function add(store: PrefixStore, prefix: CachedPrefix, tokens: number[]): CachedPrefix {
  return store.extend(prefix, tokens, (first) => Float32Array.from(tokens.slice(first)));
}

function empty(store: PrefixStore): CachedPrefix {
  return store.find([], 0);
}

/** The values a prefix is made of, in the order of its positions. */
function valuesOf(prefix: CachedPrefix): number[] {
  return [...partsOf(prefix)].reverse().flatMap(({ count, stride, values }) => {
    expect(values).toHaveLength(stride);
    return [...values.subarray(0, count)];
  });
}

describe('a prefix store', () => {
  it('finds the longest beginning that was stored, and its values', () => {
    const store = new PrefixStore(1000);
    const prompt = add(store, empty(store), [1, 2, 3]);
    add(store, prompt, [4, 5]);
    for (const [tokens, length] of [
      [[1, 2, 3, 4, 5, 6], 5],
      [[1, 2, 3, 4], 4],
      [[1, 2, 9], 2],
      [[9, 1, 2], 0],
    ] as const) {
      const found = store.find(tokens, tokens.length);
      expect(found.length).toBe(length);
      expect(valuesOf(found)).toEqual(tokens.slice(0, length));
    }
    expect(store.find([1, 2, 3, 4], 3).length).toBe(3);
  });

  it('lets branches leave anywhere and reads only what is new of them', () => {
    const store = new PrefixStore(1000);
    const prompt = add(store, empty(store), [1, 2, 3, 4]);
    const reads: number[] = [];
    const extend = (prefix: CachedPrefix, tokens: number[]) =>
      store.extend(prefix, tokens, (first) => {
        reads.push(first);
        return Float32Array.from(tokens.slice(first));
      });
    extend(prompt, [5, 6]);
    extend(prompt, [5, 7]);
    extend(prompt, [5, 6]);
    extend(empty(store), [1, 2, 8]);
    expect(reads).toEqual([0, 1, 2]);
    for (const tokens of [
      [1, 2, 3, 4, 5, 6],
      [1, 2, 3, 4, 5, 7],
      [1, 2, 8],
    ])
      expect(valuesOf(store.find(tokens, tokens.length))).toEqual(tokens);
  });

  it('drops what was used longest ago, ends before beginnings, and stays within its bytes', () => {
    const store = new PrefixStore(6 * BYTES);
    const first = add(store, empty(store), [1, 2]);
    add(store, first, [3]);
    add(store, empty(store), [7, 8]);
    // Using the first sequence's beginning leaves its end the oldest.
    store.find([1, 2], 2);
    add(store, empty(store), [9, 9]);
    expect(store.find([1, 2, 3], 3).length).toBe(2);
    expect(store.find([7, 8], 2).length).toBe(2);
    expect(store.find([9, 9], 2).length).toBe(2);
    add(store, empty(store), [5]);
    expect([[1, 2, 3], [7, 8], [9, 9], [5]].map((tokens) => store.find(tokens, 9).length)).toEqual([
      0, 2, 2, 1,
    ]);
  });

  it('still gives what it has no room for to whoever computed it', () => {
    const store = new PrefixStore(0);
    const prompt = add(store, empty(store), [1, 2]);
    const reply = add(store, prompt, [3]);
    expect(valuesOf(reply)).toEqual([1, 2, 3]);
    expect(store.find([1, 2, 3], 3).length).toBe(0);
  });

  it('does not grow from a prefix that it dropped meanwhile', () => {
    const store = new PrefixStore(3 * BYTES);
    const dropped = add(store, empty(store), [1, 2]);
    add(store, empty(store), [7, 8]);
    expect(valuesOf(add(store, dropped, [3]))).toEqual([1, 2, 3]);
    expect(store.find([1, 2, 3], 3).length).toBe(0);
    expect(store.find([7, 8], 2).length).toBe(2);
  });

  it('is empty once cleared', () => {
    const store = new PrefixStore(1000);
    add(store, empty(store), [1, 2]);
    store.clear();
    expect(store.find([1, 2], 2).length).toBe(0);
    add(store, empty(store), [1, 2]);
    expect(store.find([1, 2], 2).length).toBe(2);
  });
});
