import { beforeAll, describe, expect, it } from 'vitest';
import type { SampledSequence, SampleRequest } from '@/contract/engine';
import { createRandom } from '@/rl/random';
import { randomParameters } from '../../../testing/tiny-model';
import type { Sampler } from './sampler';
import { openSampler, params, raggedRequests, TIED } from './testing/requests';

/** What an episode's next prompt adds: the end of its reply and what it is then told. */
function nextPrompt(request: SampleRequest, reply: readonly number[], told: readonly number[]): number[] {
  return [...request.prompt, ...reply, ...told];
}

function expectSameReplies(replies: readonly SampledSequence[], expected: readonly SampledSequence[]): void {
  expect(replies.map(({ tokens }) => tokens)).toEqual(expected.map(({ tokens }) => tokens));
  replies.forEach(({ logprobs }, i) =>
    logprobs.forEach((logprob, t) => expect(logprob).toBeCloseTo(expected[i]?.logprobs[t] ?? NaN, 4)),
  );
}

describe('prompts that go on from earlier ones', () => {
  const parametersP = randomParameters(TIED, 3);
  const short = { maxTokens: 4 };
  /** Four episodes of which two begin alike. */
  const openings = [
    [1, 2, 3, 4],
    [1, 2, 3, 4],
    [9, 8],
    [7, 7, 7, 1, 2, 3],
  ];
  let sampler: Sampler;
  /** Keeps nothing: every prompt is computed whole. */
  let forgetful: Sampler;
  beforeAll(async () => {
    sampler = await openSampler(TIED, parametersP);
    forgetful = await openSampler(TIED, parametersP, 0);
  });

  it('compute only what is new, and go on as if all of them were', async () => {
    sampler.forget();
    const random = createRandom(4);
    let requests = openings.map((prompt, i): SampleRequest => ({
      prompt,
      seed: 50 + i,
      params: params(short),
    }));
    let known = openings.map(() => 0);
    for (let turn = 0; turn < 6; turn++) {
      const { sequences, counts } = await sampler.sampleBatch(requests);
      expectSameReplies(sequences, (await forgetful.sampleBatch(requests)).sequences);
      requests.forEach((request, i) => {
        // The two that begin alike are one prompt in the first turn.
        const fresh = turn === 0 && i === 1 ? 0 : request.prompt.length - (known[i] ?? 0);
        expect(sequences[i]?.prefilledTokens).toBe(fresh);
      });
      expect(counts.prefilled).toBe(
        sequences.reduce((sum, { prefilledTokens = NaN }) => sum + prefilledTokens, 0),
      );
      // Of a reply all but the last token is computed while it is written.
      known = requests.map(({ prompt }, i) => prompt.length + (sequences[i]?.tokens.length ?? 0) - 1);
      requests = requests.map((request, i) => ({
        ...request,
        seed: random.integer(1000),
        prompt: nextPrompt(
          request,
          sequences[i]?.tokens ?? [],
          Array.from({ length: 1 + random.integer(3) }, () => random.integer(37)),
        ),
      }));
    }
  });

  it('fork from any earlier turn with one token computed, whatever followed it', async () => {
    sampler.forget();
    const first: SampleRequest = { prompt: [1, 2, 3, 4], seed: 1, params: params(short) };
    const { sequences } = await sampler.sampleBatch([first]);
    const second = { ...first, prompt: nextPrompt(first, sequences[0]?.tokens ?? [], [11, 12]) };
    await sampler.sampleBatch([second]);
    const forks = Array.from({ length: 6 }, (_, i) => ({ ...first, seed: 100 + i }));
    const { counts, sequences: continued } = await sampler.sampleBatch(forks);
    expect(counts).toMatchObject({ prompt: 24, prefilled: 1, reused: 23 });
    expectSameReplies(continued, (await forgetful.sampleBatch(forks)).sequences);
  });

  it('repeat to the last bit from the same beginning, and keep nothing past it', async () => {
    const play = async () => {
      sampler.forget();
      const replies: unknown[] = [];
      let requests = raggedRequests(TIED, 45);
      for (let turn = 0; turn < 3; turn++) {
        const { sequences, counts } = await sampler.sampleBatch(requests);
        replies.push(sequences, counts);
        requests = requests.map((request, i) => ({
          ...request,
          params: params(short),
          prompt: nextPrompt(request, sequences[i]?.tokens ?? [], [3]).slice(0, 40),
        }));
      }
      return replies;
    };
    expect(await play()).toEqual(await play());
  });

  it('get the same replies where little or nothing can be kept, at the price of computing more', async () => {
    const prefilled: number[] = [];
    const replies: number[][][] = [];
    for (const prefixCacheBytes of [0, 20_000, 1e6]) {
      const bounded = await openSampler(TIED, parametersP, prefixCacheBytes);
      const first = raggedRequests(TIED, 40);
      const { sequences } = await bounded.sampleBatch(first);
      const second = first.map((request, i) => ({
        ...request,
        params: params(short),
        prompt: nextPrompt(request, sequences[i]?.tokens ?? [], [3]).slice(0, 40),
      }));
      const after = await bounded.sampleBatch(second);
      replies.push(after.sequences.map(({ tokens }) => tokens));
      prefilled.push(after.counts.prefilled);
    }
    const [none = NaN, some = NaN, all = NaN] = prefilled;
    expect(all).toBeLessThan(some);
    expect(some).toBeLessThan(none);
    expect(replies[1]).toEqual(replies[0]);
    expect(replies[2]).toEqual(replies[0]);
  });

  it('are computed in several passes where they are long', async () => {
    const config = { ...TIED, maxPositions: 1200 };
    const long = await openSampler(config, parametersP);
    const random = createRandom(8);
    const prompt = Array.from({ length: 1100 }, () => random.integer(37));
    const request = { prompt, seed: 3, params: params({ maxTokens: 20, stopTokens: [] }) };
    const { sequences, counts } = await long.sampleBatch([request]);
    expect(counts.prefilled).toBe(1100);
    const tokens = sequences[0]?.tokens ?? [];
    const scored = await long.computeLogprobs([...prompt, ...tokens]);
    sequences[0]?.logprobs.forEach((logprob, t) => expect(logprob).toBeCloseTo(scored[1100 + t] ?? NaN, 4));
  });
});
