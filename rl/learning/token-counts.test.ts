import { describe, expect, it } from 'vitest';
import type { TokenCounts } from '@/contract/engine';
import { rowsOf, rowsToData } from './rows';
import { countsSince, totalCounts, trainedTokensOf } from './token-counts';

const sampler = (counts: TokenCounts) => ({ counts: () => counts });

describe('counted tokens', () => {
  it('of several samplers are summed, and those of a while are the difference', () => {
    const before = totalCounts([
      sampler({ prompt: 10, prefilled: 6, reused: 4, sampled: 3 }),
      sampler({ prompt: 5, prefilled: 5, reused: 0, sampled: 0 }),
    ]);
    expect(before).toEqual({ prompt: 15, prefilled: 11, reused: 4, sampled: 3 });
    const now = { prompt: 40, prefilled: 20, reused: 20, sampled: 9 };
    expect(countsSince(before, now)).toEqual({ prompt: 25, prefilled: 9, reused: 16, sampled: 6 });
  });

  it('are unknown where a sampler does not say', () => {
    const silent = totalCounts([sampler({ prompt: 4, prefilled: 4, reused: NaN, sampled: 1 })]);
    expect(silent).toEqual({ prompt: 4, prefilled: 4, reused: NaN, sampled: 1 });
    expect(countsSince(silent, silent).reused).toBeNaN();
  });
});

describe('trained tokens of a trajectory', () => {
  const call = (prompt: number[], reply: number[]) => ({
    call: 'action' as const,
    prompt,
    reply,
    logprobs: reply.map(() => -1),
  });

  it('are the lengths of its data, once a pass', () => {
    // One conversation of 2 + 1 + 1 + 2 tokens, and a prompt of its own: 5 and 3 inputs.
    const rows = rowsOf([call([1, 2], [3]), call([1, 2, 3, 4], [5, 6]), call([9, 9], [7, 8])], 1);
    const inputs = rowsToData(rows, 'token-mean').reduce((sum, { modelInput }) => sum + modelInput.length, 0);
    expect(inputs).toBe(8);
    expect(trainedTokensOf(rows, 1)).toBe(inputs);
    expect(trainedTokensOf(rows, 3)).toBe(24);
    expect(trainedTokensOf([], 3)).toBe(0);
  });
});
