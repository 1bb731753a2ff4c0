import { describe, expect, it } from 'vitest';
import type { SampledSequence, SampleRequest, SamplingClient } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import { SampleQueue } from './sample-queue';

/** A policy that writes its prompt's first token back, keeps its batches, and refuses prompts of -1. */
function policy(lanes: number) {
  const batches: { lane: number; prompts: number[] }[] = [];
  let prefillS = 0;
  const client: SamplingClient = {
    lanes,
    sampleBatch(requests, lane): Promise<SampledSequence[]> {
      const prompts = requests.map(({ prompt }) => prompt[0] ?? NaN);
      if (prompts.includes(-1)) return Promise.reject(new AppError('invalid_input', 'prompt is -1'));
      batches.push({ lane, prompts });
      prefillS += prompts.length;
      return Promise.resolve(
        prompts.map((token, index) => ({
          tokens: [token],
          logprobs: [0],
          stopReason: 'length',
          prefilledTokens: index === 0 ? 1 : 0,
        })),
      );
    },
    sample: () => Promise.reject(new Error('not asked for')),
    computeLogprobs: () => Promise.reject(new Error('not asked for')),
    counts: () => ({ prompt: 0, prefilled: 0, reused: 0, sampled: 0 }),
    times: () => ({ prefillS, decodeS: 0 }),
  };
  return { client, batches };
}

const ask = (token: number): SampleRequest => ({
  prompt: [token],
  seed: 1,
  params: { maxTokens: 1, temperature: 1, stopTokens: [] },
});
const batch = (id: string, index: number, size = 3, lane = 1) => ({ id, index, size, lane });
const tokenOf = ({ sequences }: { sequences: { tokens: number[] }[] }) => sequences[0]?.tokens[0];

describe('requests that name a batch', () => {
  it('are computed together, in the order of the batch and on its lane, however they arrive', async () => {
    const { client, batches } = policy(2);
    const queue = new SampleQueue(client);
    const answers = [2, 0].map((index) => queue.together(batch('b', index), ask(10 + index)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(batches).toEqual([]);
    answers.push(queue.together(batch('b', 1), ask(11)));
    expect((await Promise.all(answers)).map(tokenOf)).toEqual([12, 10, 11]);
    expect(batches).toEqual([{ lane: 1, prompts: [10, 11, 12] }]);
  });

  it('count once where they come twice, also after the batch is done', async () => {
    const { client, batches } = policy(1);
    const queue = new SampleQueue(client);
    const first = queue.together(batch('b', 0, 2), ask(1));
    expect(queue.together(batch('b', 0, 2), ask(1))).toBe(first);
    await queue.together(batch('b', 1, 2), ask(2));
    expect(tokenOf(await queue.together(batch('b', 0, 2), ask(1)))).toBe(1);
    expect(batches).toHaveLength(1);
  });

  it('all fail with one that is refused, and another size under the same name is refused', async () => {
    const queue = new SampleQueue(policy(1).client);
    const answers = [queue.together(batch('b', 0, 2), ask(1)), queue.together(batch('b', 1, 2), ask(-1))];
    for (const answer of answers) await expect(answer).rejects.toThrow('prompt is -1');
    expect(() => queue.together(batch('b', 1, 3), ask(1))).toThrow(
      'batch b has size 2 and lane 1, got 3 and 1',
    );
  });

  it('fail when their session ends before the batch is whole', async () => {
    const queue = new SampleQueue(policy(1).client);
    const whole = queue.together(batch('a', 0, 1), ask(1));
    const open = queue.together(batch('b', 0, 2), ask(2));
    await whole;
    queue.close();
    await expect(open).rejects.toMatchObject({ status: 404 });
    expect(tokenOf(await whole)).toBe(1);
  });

  it('fail when so many others are begun that theirs is forgotten', async () => {
    const queue = new SampleQueue(policy(1).client);
    const open = queue.together(batch('b', 0, 2), ask(1));
    await Promise.all(
      Array.from({ length: 64 }, (_, index) => queue.together(batch(`c${index}`, 0, 1), ask(2))),
    );
    await expect(open).rejects.toThrow('64 other batches were begun before batch b was whole');
  });

  it('tell what was used once, in the answer to the first', async () => {
    const queue = new SampleQueue(policy(1).client);
    const answers = await Promise.all(
      [0, 1, 2].map((index) => queue.together(batch('b', index), ask(index))),
    );
    expect(answers.map(({ usage }) => usage?.prefill_s)).toEqual([3, undefined, undefined]);
    const [next] = await Promise.all([0].map((index) => queue.together(batch('c', index, 1), ask(5))));
    expect(next?.usage?.prefill_s).toBe(1);
  });

  it('tell of each prompt what was reused', async () => {
    const queue = new SampleQueue(policy(1).client);
    const answers = await Promise.all([0, 1].map((index) => queue.together(batch('b', index, 2), ask(7))));
    expect(answers.map((answer) => answer.prompt_cache_hit_tokens)).toEqual([0, 1]);
  });
});

describe('requests on their own', () => {
  it('share what is waiting, dealt to the lanes', async () => {
    const { client, batches } = policy(2);
    const queue = new SampleQueue(client);
    const answers = await Promise.all([1, 2, 3, 4, 5].map((token) => queue.alone(ask(token))));
    expect(answers.map(tokenOf)).toEqual([1, 2, 3, 4, 5]);
    expect(batches).toEqual([
      { lane: 0, prompts: [1, 3, 5] },
      { lane: 1, prompts: [2, 4] },
    ]);
  });

  it('are not spoilt by a stranger that is refused', async () => {
    const queue = new SampleQueue(policy(1).client);
    const [good, bad, other] = [1, -1, 2].map((token) => queue.alone(ask(token)));
    await expect(bad).rejects.toThrow('prompt is -1');
    expect(tokenOf((await good) ?? { sequences: [] })).toBe(1);
    expect(tokenOf((await other) ?? { sequences: [] })).toBe(2);
  });
});
