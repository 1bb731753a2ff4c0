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

function deviationOf(parameters: Float32Array, name: string): number {
  const spec = parameterSpecs(config).find((candidate) => candidate.name === name);
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
});
