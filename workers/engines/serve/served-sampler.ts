import type { SamplingClient, SamplingParams } from '@/contract/engine';
import { randomInt } from 'node:crypto';
import type { SampleAnswer, WireSampleRequest, WireSamplingParams } from '../tinker/wire';
import { Refusal } from './refusal';
import { SampleQueue, toSampleAnswer } from './sample-queue';

/** What a sampling session samples from. */
export interface SamplerOrigin {
  sessionId: string | null;
  /** The model whose weights it keeps, where it was saved from one in memory. */
  modelId: string | null;
  /** Where the weights were read from, if from a checkpoint. */
  path: string | null;
}

export interface OpenedSampler {
  client: SamplingClient;
  /** Token ids that end a reply where a request names none. */
  stopTokens: readonly number[];
  close(): Promise<void>;
}

/** A sampling session: one immutable policy, however far training has moved on. */
export class ServedSampler {
  private readonly ready: Promise<OpenedSampler & { queue: SampleQueue }>;

  constructor(
    readonly id: string,
    readonly origin: SamplerOrigin,
    opening: Promise<OpenedSampler>,
  ) {
    this.ready = opening.then((opened) => ({ ...opened, queue: new SampleQueue(opened.client) }));
    // Every request hears of a policy that could not be opened.
    this.ready.catch(() => undefined);
  }

  /** Throws where the request asks for what this engine lacks; every request is answered by its own seed alone. */
  async answer(request: WireSampleRequest): Promise<SampleAnswer> {
    const { client, stopTokens, queue } = await this.ready;
    const prompt = request.prompt.chunks.flatMap(({ tokens }) => tokens);
    const { sampling_params: params, num_samples: count, batch } = request;
    const seed = params.seed ?? randomInt(2 ** 31);
    const asked = toSamplingParams(params, stopTokens);
    if (count === 1 && !request.prompt_logprobs && asked.maxTokens > 0) {
      const single = { prompt, seed, params: asked };
      return batch ? queue.together(batch, single) : queue.alone(single);
    }
    const sequences = asked.maxTokens > 0 ? await client.sample(prompt, count, asked, seed) : [];
    const logprobs = request.prompt_logprobs ? await client.computeLogprobs(prompt) : null;
    return {
      ...toSampleAnswer(prompt, sequences),
      prompt_logprobs: logprobs?.map((value) => (Number.isFinite(value) ? value : null)) ?? null,
      usage: queue.takeUsage(),
    };
  }

  async close(): Promise<void> {
    const opened = await this.ready.catch(() => null);
    opened?.queue.close();
    await opened?.close();
  }
}

/** Refuses with 400 what is read before a request is taken. */
export function checkSampleRequest({
  sampling_params: params,
  topk_prompt_logprobs: topK,
}: WireSampleRequest): void {
  if (params.max_tokens === null || params.max_tokens === undefined)
    throw new Refusal(400, 'max_tokens is currently required');
  if (params.stop?.some((stop) => typeof stop === 'string'))
    throw new Refusal(400, 'stop has texts, expected token ids: a text is no boundary of tokens');
  if (topK > 0) throw new Refusal(400, 'topk_prompt_logprobs is not supported by this server');
}

function toSamplingParams(params: WireSamplingParams, stopTokens: readonly number[]): SamplingParams {
  const stop = params.stop?.filter((id): id is number => typeof id === 'number');
  return {
    maxTokens: params.max_tokens ?? 0,
    temperature: params.temperature,
    topK: Math.max(0, params.top_k),
    topP: params.top_p,
    stopTokens: [...(stop ?? stopTokens)],
    ...(params.allowed_replies && { allowedReplies: params.allowed_replies }),
  };
}
