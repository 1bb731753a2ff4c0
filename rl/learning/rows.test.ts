import { describe, expect, it } from 'vitest';
import type { CallTokens } from '@/rl/play';
import { minibatchesOf, rowsOf, rowsToData, type Row } from './rows';

const row = (prompt: number[], reply: number[], advantage: number): Row => ({
  prompt,
  reply,
  logprobs: reply.map((id) => -id / 10),
  sampled: reply.map(() => true),
  advantages: reply.map(() => advantage),
});

const call = (prompt: number[], reply: number[]): CallTokens => ({
  call: 'action',
  prompt,
  reply,
  logprobs: reply.map((id) => -id / 10),
});

describe("an episode's calls", () => {
  it('are one row where each prompt goes on from the last reply, what it was told bearing no loss', () => {
    const rows = rowsOf([call([1, 2], [3]), call([1, 2, 3, 4, 5], [6, 7])], 2);
    expect(rows).toEqual([
      {
        prompt: [1, 2],
        reply: [3, 4, 5, 6, 7],
        logprobs: [-0.3, 0, 0, -0.6, -0.7],
        sampled: [true, false, false, true, true],
        advantages: [2, 0, 0, 2, 2],
      },
    ]);
    expect(rowsToData(rows, 'token-mean')[0]?.lossFnInputs.advantages).toEqual([
      0,
      2 / 3,
      0,
      0,
      2 / 3,
      2 / 3,
    ]);
  });

  it('have the advantages of each call or token, and none on a call left out', () => {
    const calls = [call([1], [2, 3]), call([1, 2, 3], [4, 5]), call([1, 2, 3, 4, 5], [6])];
    const [only, ...more] = rowsOf(calls, [[0.5, -1], null, 3]);
    expect(more).toEqual([]);
    expect(only?.sampled).toEqual([true, true, false, false, true]);
    expect(only?.advantages).toEqual([0.5, -1, 0, 0, 3]);
    expect(only?.logprobs).toEqual([-0.2, -0.3, -0.4, -0.5, -0.6]);
  });

  it('begin a row wherever a prompt was written anew', () => {
    const rewritten = [call([1, 2], [3]), call([1, 2, 9, 4], [6]), call([1, 2], [8])];
    expect(rowsOf(rewritten, 1)).toHaveLength(3);
  });

  it('leave the calls as they were', () => {
    const calls = [call([1], [2]), call([1, 2, 3], [4])];
    rowsOf(calls, 1);
    expect(calls).toEqual([call([1], [2]), call([1, 2, 3], [4])]);
  });
});

describe('rows as data', () => {
  it('shift targets by one and bear loss on the reply alone', () => {
    const [datum] = rowsToData([row([5, 6, 7], [8, 9], 2)], 'token-mean');
    expect(datum).toEqual({
      modelInput: [5, 6, 7, 8],
      lossFnInputs: {
        targetTokens: [6, 7, 8, 9],
        weights: [0, 0, 0.5, 0.5],
        logprobs: [0, 0, -0.8, -0.9],
        advantages: [0, 0, 1, 1],
      },
    });
  });

  it('weigh every reply token alike with token-mean and every sequence alike with seq-mean-token-mean', () => {
    const rows = [row([1], [2], 1), row([1], [2, 3, 4], 1)];
    const sums = (aggregation: 'token-mean' | 'seq-mean-token-mean') =>
      rowsToData(rows, aggregation).map(
        (datum) => datum.lossFnInputs.weights?.reduce((a, b) => a + b) ?? NaN,
      );
    expect(sums('token-mean')).toEqual([0.25, 0.75]);
    for (const sum of sums('seq-mean-token-mean')) expect(sum).toBeCloseTo(0.5, 7);
  });
});

describe('minibatches', () => {
  it('hold every row once and keep a prompt together', () => {
    const rows = [row([1], [2], 1), row([3], [2], 1), row([1], [4], 1), row([3], [5], 1)];
    const parts = minibatchesOf(rows, 2, (prompts) => [...prompts].reverse());
    expect(parts).toEqual([
      [rows[1], rows[3]],
      [rows[0], rows[2]],
    ]);
  });

  it('are no more than there are rows', () => {
    expect(minibatchesOf([row([1], [2], 1)], 4, (prompts) => prompts)).toHaveLength(1);
  });
});
