import type { SampleRequest, SamplingParams } from '@/contract/engine';
import { createRandom } from '@/rl/random';
import type { ModelConfig } from '../../model/parameters';
import { Sampler } from '../sampler';

/** A model that computes in milliseconds. */
export const TIED: ModelConfig = {
  vocabularySize: 37,
  hiddenSize: 64,
  layers: 2,
  heads: 4,
  keyValueHeads: 2,
  intermediateSize: 48,
  ropeTheta: 10_000,
  rmsNormEps: 1e-6,
  tiedEmbeddings: true,
  maxPositions: 64,
};
export const STOP = 5;

export function openSampler(
  config: ModelConfig,
  parametersP: Float32Array,
  prefixCacheBytes = 1e6,
): Promise<Sampler> {
  return Sampler.open(config, { parametersP, prefixCacheBytes });
}

export function params(overrides: Partial<SamplingParams> = {}): SamplingParams {
  return { maxTokens: 12, temperature: 1, stopTokens: [STOP], ...overrides };
}

/** Ragged prompts, some of them equal, with their own seeds, limits and temperatures. */
export function raggedRequests(config: ModelConfig, n: number): SampleRequest[] {
  const random = createRandom(77);
  const prompts = Array.from({ length: Math.ceil(n / 3) }, () =>
    Array.from({ length: 1 + random.integer(20) }, () => random.integer(config.vocabularySize)),
  );
  return Array.from({ length: n }, (_, i) => ({
    prompt: random.pick(prompts),
    seed: 1000 + i,
    params: params({ maxTokens: 1 + random.integer(14), temperature: random.pick([0, 0.7, 1, 1.3]) }),
  }));
}
