import { describe, expect, it } from 'vitest';
import { EndpointSettings, type ChatEndpoint, type ChatRequest } from '@/contract/endpoint';
import { AppError } from '@/contract/errors';
import { TURN_JUDGE_PRESETS } from '@/contract/recipes/turn-judge-presets';
import { playedEpisode } from '@/rl/recipes/testing/played';
import { endpointJudge } from './endpoint-judge';

const settings = { ...TURN_JUDGE_PRESETS['published-v2.2'].judge, tries: 2 };
const prices = { currency: 'USD', prefillPerMillion: 1_000_000, samplePerMillion: 2_000_000 };

/** Answers in order; each request is billed 10 prompt tokens, 4 of them reused, and 1 reply token. */
function endpointOf(answers: string[], asked: ChatRequest[] = [], priced = true): ChatEndpoint {
  return {
    settings: EndpointSettings.parse({
      address: 'http://127.0.0.1:1/v1',
      model: 'judge-1',
      prices: priced ? prices : null,
    }),
    trouble: null,
    troubleChanged: () => new Promise(() => undefined),
    counts: () => ({
      prompt: 10 * asked.length,
      prefilled: 6 * asked.length,
      reused: 4 * asked.length,
      sampled: asked.length,
    }),
    chat: (request) => {
      const content = answers[asked.push(request) - 1] ?? '';
      return Promise.resolve({ content, reasoning: null, toolCalls: [], stopReason: 'stop', usage: null });
    },
  };
}

const task = { id: 'room/1', taskType: 'leave', split: 'train' as const };
const episode = playedEpisode({}, [{}, {}]);
const turns = [0, 1].map((turn) => ({ task, episode, turn }));

async function judged(endpoint: ChatEndpoint) {
  const run = { seed: 1, signal: new AbortController().signal };
  const { value } = await endpointJudge(endpoint, settings, run).judge(turns, 3).next();
  return value && 'scores' in value ? value : null;
}

describe('a language model as a judge', () => {
  it('gives scores, asks again for what cannot be read, and counts a turn without a score', async () => {
    const asked: ChatRequest[] = [];
    // The turns' first answers, then the second turn's other try.
    const answers = ['{"score": 0.5}', 'hm', 'still no number'];
    expect(await judged(endpointOf(answers, asked))).toEqual({
      scores: [0.5, null],
      metrics: {
        'judge/unreadable_rate': 2 / 3,
        'tokens/judge/prefilled': 18,
        'tokens/judge/reused': 12,
        'tokens/judge/sampled': 3,
        'cost/judge': 24,
      },
    });
    expect(asked).toHaveLength(3);
    expect(new Set(asked.map(({ seed }) => seed)).size).toBe(3);
    expect(asked[1]?.messages).toEqual(asked[2]?.messages);
  });

  it('names no cost without prices', async () => {
    const answers = ['{"score": 0}', '{"score": 1}'];
    expect(await judged(endpointOf(answers, [], false))).toMatchObject({ scores: [0, 1] });
    expect(await judged(endpointOf(answers, [], false))).not.toHaveProperty(['metrics', 'cost/judge']);
  });

  it('says the cost where only the reuse is not known, and none where the tokens are not', async () => {
    const answers = ['{"score": 0}', '{"score": 1}'];
    const asked: ChatRequest[] = [];
    const endpoint = endpointOf(answers, asked);
    const saying = (sampled: number): ChatEndpoint => ({
      ...endpoint,
      counts: () => ({
        prompt: 10,
        prefilled: asked.length && 20,
        reused: NaN,
        sampled: asked.length && sampled,
      }),
    });
    expect((await judged(saying(2)))?.metrics).toEqual({
      'judge/unreadable_rate': 0,
      'tokens/judge/prefilled': 20,
      'tokens/judge/sampled': 2,
      'cost/judge': 24,
    });
    asked.length = 0;
    expect((await judged(saying(NaN)))?.metrics).not.toHaveProperty('cost/judge');
  });

  it('leaves a turn unscored whose prompt is longer than its context, and asks once', async () => {
    let asked = 0;
    const endpoint = endpointOf([]);
    const tooLong = new AppError('too_large', 'HTTP 400: context_length_exceeded');
    const refusing: ChatEndpoint = {
      ...endpoint,
      chat: (request) =>
        asked++ === 0 ? Promise.reject(tooLong) : endpointOf(['{"score": 1}']).chat(request),
    };
    expect(await judged(refusing)).toMatchObject({
      scores: [null, 1],
      metrics: { 'judge/unreadable_rate': 0 },
    });
    expect(asked).toBe(2);
  });

  it('asks the same of the same turns', async () => {
    const [first, second]: [ChatRequest[], ChatRequest[]] = [[], []];
    await judged(endpointOf(['{"score": 0}', '{"score": 1}'], first));
    await judged(endpointOf(['{"score": 0}', '{"score": 1}'], second));
    expect(second).toEqual(first);
  });
});
