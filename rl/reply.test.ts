import { describe, expect, it } from 'vitest';
import type { SampleRequest, SamplingClient, Tokenizer } from '@/contract/engine';
import { freeResponder, maskedResponder, type PendingReply } from './reply';

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

describe('free decoding', () => {
  async function askedFor(pending: PendingReply, maxSequenceTokens?: number) {
    const asked: SampleRequest[][] = [];
    await freeResponder(writing(asked), params, maxSequenceTokens)([pending], 0);
    return asked[0]?.[0]?.params;
  }
  const pending = { prompt: [1, 2, 3], seed: 1, availableActions: [] };

  it('gives a reply what its prompt leaves of the longest sequence', async () => {
    expect(await askedFor(pending)).toEqual(params);
    expect(await askedFor(pending, 7)).toEqual({ ...params, maxTokens: 4 });
    expect(await askedFor(pending, 100)).toEqual(params);
  });

  it('is masked where a call has a list of replies, under the control too', async () => {
    const allowedReplies = [[7, END]];
    expect(await askedFor({ ...pending, allowedReplies })).toEqual({ ...params, allowedReplies });
    const asked: SampleRequest[][] = [];
    const respond = maskedResponder(writing(asked), params, tokenizer as Tokenizer, ' Action:');
    const [reply] = await respond([{ ...pending, allowedReplies }], 0);
    expect(reply?.tokens).toEqual([7, END]);
    expect(asked).toHaveLength(1);
  });
});
