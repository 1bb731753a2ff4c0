import { describe, expect, it } from 'vitest';
import type { TargetedSequence } from '../training/datum-targets';
import { partitionByPrompt } from './partition';

/** A sequence whose targets begin after its prompt. */
function sequence(prompt: number[], reply: number[]): TargetedSequence {
  const tokens = [...prompt, ...reply];
  return {
    tokens,
    targets: tokens.map((token, t) =>
      t < prompt.length - 1 ? undefined : { token, weight: 1, advantage: 0 },
    ),
  };
}

describe('a partition', () => {
  it('keeps equal prompts together and gives the largest group first to the lightest part', () => {
    const sequences = [
      sequence([1, 2], [5]), // with the next but two: prompt 2, replies 1 + 2, 5 tokens in all
      sequence([3], [5, 5, 5, 5, 5]), // 6 tokens: placed first
      sequence([4], [5, 6]), // 3 tokens: joins the part with 5
      sequence([1, 2], [6, 7]),
      sequence([7], [8]), // 2 tokens: joins the part with 6
    ];
    expect(partitionByPrompt(sequences, 2)).toEqual([
      [1, 4],
      [0, 2, 3],
    ]);
  });

  it('holds every index once, for any number of parts', () => {
    const sequences = Array.from({ length: 11 }, (_, i) => sequence([i % 4], [1, 2]));
    for (const parts of [1, 2, 3, 8])
      expect(
        partitionByPrompt(sequences, parts)
          .flat()
          .sort((a, b) => a - b),
      ).toEqual([...sequences.keys()]);
    expect(partitionByPrompt([], 2)).toEqual([[], []]);
  });
});
