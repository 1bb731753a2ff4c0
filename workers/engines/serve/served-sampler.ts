import type { SamplingParams } from '@/contract/engine';
import { randomInt } from 'node:crypto';
import type { SampleAnswer, WireSampleRequest, WireSamplingParams } from '../tinker/wire';
import { Refusal } from './refusal';
import { toSampleAnswer } from './sample-queue';
import type { OpenedSampler, SamplerSource } from './sampler-source';

/** What a sampling session samples from. */
export interface SamplerOrigin {
  sessionId: string | null;
  /** The model whose weights it keeps, where it was saved from one in memory. */
  modelId: string | null;
  /** Where the weights were read from, if from a checkpoint. */
  path: string | null;
}

/** A sampling session: one immutable policy, however far training has moved on. */
export class ServedSampler {
  constructor(
    readonly id: string,
    readonly origin: SamplerOrigin,
    private readonly source: SamplerSource,
  ) {}

  /**
   * Every request is answered by its own seed alone. Refuses with 429, at once, where there is no room for the policy now;
   * rejects where the request asks for what this engine lacks.
   */
  answer(request: WireSampleRequest): Promise<SampleAnswer> {
    const { opened, release } = this.source.lease();
    return opened.then((sampler) => this.answerWith(sampler, request)).finally(release);
  }

  close(): Promise<void> {
    return this.source.close();
  }

  private async answerWith(
    { client, stopTokens, queue }: OpenedSampler,
    request: WireSampleRequest,
  ): Promise<SampleAnswer> {
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
