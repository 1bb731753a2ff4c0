import { describe, expect, it } from 'vitest';
import { createRandom } from '@/rl/random';
import { initializeParameters } from './initialize';
import { parameterSpecs } from './parameters';
import type { ModelConfig } from './parameters';

const config: ModelConfig = {
  vocabularySize: 300,
  hiddenSize: 64,
  layers: 2,
  heads: 4,
  keyValueHeads: 2,
  intermediateSize: 96,
  ropeTheta: 10_000,
  rmsNormEps: 1e-6,
  tiedEmbeddings: false,
  maxPositions: 64,
};

function deviationOf(parameters: Float32Array, name: string, model = config): number {
  const spec = parameterSpecs(model).find((candidate) => candidate.name === name);
  if (!spec) throw new Error(name);
  const part = parameters.subarray(spec.offset, spec.offset + spec.size);
  return Math.sqrt(part.reduce((sum, value) => sum + value * value, 0) / spec.size);
}

describe('initializeParameters', () => {
  it('gives equal parameters from equal seeds and others from another', () => {
    const first = initializeParameters(config, createRandom(1));
    expect(initializeParameters(config, createRandom(1))).toEqual(first);
    expect(initializeParameters(config, createRandom(2))).not.toEqual(first);
  });

  it('draws each matrix with its deviation, and starts norms at 1 and biases at 0', () => {
    const parameters = initializeParameters(config, createRandom(3), 2);
    expect(deviationOf(parameters, 'embedding') / 0.04).toBeCloseTo(1, 1);
    expect(deviationOf(parameters, 'head') / 0.04).toBeCloseTo(1, 1);
    expect(deviationOf(parameters, '1.gateUpWeight') / 0.04).toBeCloseTo(1, 1);
    expect(deviationOf(parameters, '1.downWeight') / 0.02).toBeCloseTo(1, 1);
    expect(deviationOf(parameters, '0.outputWeight') / 0.02).toBeCloseTo(1, 1);
    expect(deviationOf(parameters, '0.inputNorm')).toBe(1);
    expect(deviationOf(parameters, 'finalNorm')).toBe(1);
    expect(deviationOf(parameters, '0.qkvBias')).toBe(0);
  });

  it('starts what only Qwen3 has alike: head norms at 1, the output bias at 0', () => {
    const qwen3: ModelConfig = { ...config, family: 'qwen3', attentionBias: true, headSize: 32 };
    const parameters = initializeParameters(qwen3, createRandom(3));
    expect(deviationOf(parameters, '1.queryNorm', qwen3)).toBe(1);
    expect(deviationOf(parameters, '0.keyNorm', qwen3)).toBe(1);
    expect(deviationOf(parameters, '1.outputBias', qwen3)).toBe(0);
    expect(deviationOf(parameters, '1.outputWeight', qwen3) / 0.01).toBeCloseTo(1, 1);
  });
});
