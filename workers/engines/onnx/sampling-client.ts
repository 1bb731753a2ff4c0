import type {
  SampledSequence,
  SampleRequest,
  SamplingClient,
  SamplingParams,
  SamplingTimes,
  TokenCounts,
} from '@/contract/engine';
import { AppError } from '@/contract/errors';
import { hashSeed } from '@/rl/random';
import type { ModelConfig } from './model/parameters';
import { checkTokenIds } from './model/token-ids';
import type { PolicyVersion } from './pool/messages';
import type { ChildPool } from './pool/pool';
import { PromptLanes } from './prompt-lanes';
import { checkSampleRequest } from './sample-request-check';

/** Samples by the weights it was made with, however the training client's have moved on. */
export class OnnxSamplingClient implements SamplingClient {
  readonly lanes: number;
  private readonly promptLanes: PromptLanes;
  private readonly tokenCounts: TokenCounts = { prompt: 0, prefilled: 0, reused: 0, sampled: 0 };
  private readonly samplingTimes: SamplingTimes = { prefillS: 0, decodeS: 0 };

  /** `policy` must never change. */
  constructor(
    private readonly pool: ChildPool,
    private readonly config: ModelConfig,
    private readonly policy: PolicyVersion,
  ) {
    this.lanes = pool.size;
    this.promptLanes = new PromptLanes(pool.size);
  }

  async sample(
    prompt: number[],
    n: number,
    params: SamplingParams,
    seed: number,
  ): Promise<SampledSequence[]> {
    if (!Number.isInteger(n) || n < 1) throw new AppError('invalid_input', `n is ${n}, expected at least 1`);
    const requests = Array.from({ length: n }, (_, i) => ({ prompt, params, seed: hashSeed(seed, i) }));
    return this.sampleBatch(requests, this.promptLanes.laneOf(prompt));
  }

  async sampleBatch(requests: SampleRequest[], lane: number): Promise<SampledSequence[]> {
    requests.forEach((request, index) => checkSampleRequest(request, `requests[${index}]`, this.config));
    const child = this.pool.lane(lane);
    for (const { prompt } of requests) this.promptLanes.remember(prompt, child.index);
    const { sequences, counts, times } = await child.request('sampleBatch', requests, this.policy);
    for (const key of ['prompt', 'prefilled', 'reused', 'sampled'] as const)
      this.tokenCounts[key] += counts[key];
    for (const key of ['prefillS', 'decodeS'] as const) this.samplingTimes[key] += times[key];
    return sequences;
  }

  async computeLogprobs(tokens: number[]): Promise<number[]> {
    checkTokenIds(tokens, 'tokens', this.config.vocabularySize);
    if (tokens.length > this.config.maxPositions)
      throw new AppError(
        'invalid_input',
        `${tokens.length} tokens exceed the model's ${this.config.maxPositions} positions`,
      );
    const child = this.pool.lane(this.promptLanes.laneOf(tokens));
    const logprobs = await child.request('computeLogprobs', tokens, this.policy);
    this.tokenCounts.prompt += tokens.length;
    this.tokenCounts.prefilled += tokens.length;
    return logprobs;
  }

  counts(): TokenCounts {
    return { ...this.tokenCounts };
  }

  times(): SamplingTimes {
    return { ...this.samplingTimes };
  }
}
