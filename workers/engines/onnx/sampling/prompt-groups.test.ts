import { describe, expect, it } from 'vitest';
import { PrefixStore } from './prefix-store';
import { groupByPrompt, sharedPrefixes } from './prompt-groups';
import { SampleRow } from './sample-row';

function rowOf(prompt: number[]): SampleRow {
  return new SampleRow({ prompt, seed: 1, params: { maxTokens: 1, temperature: 1, stopTokens: [] } });
}

function groupsOf(prompts: number[][], store = new PrefixStore(1e6)) {
  return groupByPrompt(prompts.map(rowOf), store);
}

/** Ids `from`, `from + 1`, ... */
function run(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => from + i);
}

describe('prompt groups', () => {
  it('hold equal prompts once, the shortest first, with what is stored but for the last token', () => {
    const store = new PrefixStore(1e6);
    store.extend(store.find([], 0), [1, 2, 3], () => new Float32Array(3));
    const groups = groupsOf(
      [
        [1, 2, 3, 4],
        [1, 2, 3],
        [1, 2, 3, 4],
        [7, 8, 9],
      ],
      store,
    );
    expect(
      groups.map(({ prompt, rows, place, known }) => [prompt, rows.length, place, known.length]),
    ).toEqual([
      [[1, 2, 3], 1, 1, 2],
      [[7, 8, 9], 1, 3, 0],
      [[1, 2, 3, 4], 2, 0, 3],
    ]);
  });
});

describe('shared prefixes', () => {
  const system = run(1000, 80);
  const lengthsAndPlaces = (groups: ReturnType<typeof groupsOf>) =>
    sharedPrefixes(groups).map(({ length, members }) => [length, members.map(({ place }) => place)]);

  it('are what at least two prompts begin with, its first member first', () => {
    const groups = groupsOf([
      [...system, 5, 6, 7],
      [...system, 6],
      [3, 4],
    ]);
    expect(lengthsAndPlaces(groups)).toEqual([[80, [0, 1]]]);
  });

  it('leave a last token to be computed where one prompt begins another', () => {
    expect(lengthsAndPlaces(groupsOf([system, [...system, 6]]))).toEqual([[79, [0, 1]]]);
  });

  it('are not worth a pass where it would save less than 64 tokens', () => {
    expect(lengthsAndPlaces(groupsOf([run(0, 64), [...run(0, 63), 5]]))).toEqual([]);
    expect(lengthsAndPlaces(groupsOf([run(0, 65), [...run(0, 64), 5]]))).toEqual([[64, [0, 1]]]);
    const five = [1, 2, 3, 4, 5].map((last) => [...run(100, 16), last]);
    expect(lengthsAndPlaces(groupsOf(five))).toEqual([[16, [0, 1, 2, 3, 4]]]);
    expect(lengthsAndPlaces(groupsOf(five.slice(1)))).toEqual([]);
  });

  it('are found within parts where all prompts together share too little', () => {
    const [a, b] = [run(100, 70), run(300, 70)];
    const groups = groupsOf([
      [1, ...a, 1],
      [1, ...b, 1],
      [1, ...b, 2],
      [1, ...a, 2],
    ]);
    expect(lengthsAndPlaces(groups)).toEqual([
      [71, [0, 3]],
      [71, [1, 2]],
    ]);
  });

  it('lead from the shorter to the longer once the shorter is known', () => {
    const store = new PrefixStore(1e6);
    const task = run(200, 90);
    const groups = groupsOf([
      [...system, ...task, 1],
      [...system, ...task, 2],
      [...system, 1, 3],
    ]);
    expect(lengthsAndPlaces(groups)).toEqual([[80, [0, 1, 2]]]);
    const known = store.extend(store.find([], 0), system, () => new Float32Array(80));
    for (const group of groups) group.known = known;
    expect(lengthsAndPlaces(groups)).toEqual([[170, [0, 1]]]);
  });
});
