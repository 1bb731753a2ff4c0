import { describe, expect, it } from 'vitest';
import type { SampleRequest, SamplingClient, Tokenizer } from '@/contract/engine';
import { maskedResponder } from './reply';

const END = 0;
const tokenizer: Pick<Tokenizer, 'encode'> = {
  encode: (text) => [...text].map((character) => character.charCodeAt(0)),
};

/** Writes the first reply that it is allowed to, else nothing. */
function writing(asked: SampleRequest[][]): SamplingClient {
  const sampleBatch = (requests: SampleRequest[]) => {
    asked.push(requests);
    return Promise.resolve(
      requests.map(({ params }) => {
        const tokens = params.allowedReplies?.[0] ?? [END];
        return { tokens, logprobs: tokens.map(() => -1), stopReason: 'stop' as const };
      }),
    );
  };
  return { lanes: 1, sampleBatch } as Partial<SamplingClient> as SamplingClient;
}

const params = { maxTokens: 6, temperature: 1, stopTokens: [END] };

async function allowedFor(availableActions: string[]): Promise<string[]> {
  const asked: SampleRequest[][] = [];
  const respond = maskedResponder(writing(asked), params, tokenizer as Tokenizer, ' Action:');
  await respond([{ prompt: [1], seed: 1, availableActions }], 0);
  const replies = asked[1]?.[0]?.params.allowedReplies ?? [];
  return replies.map((reply) => String.fromCharCode(...reply.slice(0, -1)));
}

describe('masked decoding', () => {
  it('allows what is offered and short enough to be written', async () => {
    expect(await allowedFor(['look', 'go to larder 1', 'wait'])).toEqual([' look', ' wait']);
  });

  it('writes no action where none fits or none is offered', async () => {
    expect(await allowedFor(['go to larder 1'])).toEqual(['']);
    expect(await allowedFor([])).toEqual(['']);
  });
});
