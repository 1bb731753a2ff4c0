import { describe, expect, it } from 'vitest';
import type { Datum } from '@/contract/engine';
import { updateMetrics } from './update-metrics';
import { learningRateAt } from './learning-rate';

describe('metrics of an update', () => {
  const datum: Datum = {
    modelInput: [1, 2, 3],
    lossFnInputs: {
      targetTokens: [2, 3, 4],
      weights: [0, 0.5, 0.5],
      logprobs: [0, -1, -2],
      advantages: [0, 1, 1],
    },
  };

  it('average over reply tokens alone', () => {
    const output = {
      logprobs: [Float32Array.of(-9, -1, -2 + Math.log(2))],
      entropies: [Float32Array.of(9, 0.25, 0.75)],
      lossSum: 0,
      trainedTokens: 3,
    };
    const metrics = updateMetrics([datum], output, { low: 0.8, high: 1.28 });
    expect(metrics.entropy).toBe(0.5);
    expect(metrics.clipFraction).toBe(0.5);
    expect(metrics.samplerLogprob).toBe(-1.5);
    expect(metrics.ppoKl).toBeCloseTo((2 - 1 - Math.log(2)) / 2, 6);
  });
});

describe('learning rate', () => {
  const schedule = { learningRate: 1, warmupSteps: 5, decaySteps: 10, finalRateFraction: 0.2 };

  it('rises over the warm-up, falls over the decay and then stays', () => {
    expect(learningRateAt(1, schedule)).toBeCloseTo(0.2 * (1 - 0.8 * 0.1), 12);
    expect(learningRateAt(5, schedule)).toBeCloseTo(1 - 0.8 * 0.5, 12);
    expect(learningRateAt(10, schedule)).toBeCloseTo(0.2, 12);
    expect(learningRateAt(50, schedule)).toBeCloseTo(0.2, 12);
  });

  it('is constant with neither', () => {
    expect(learningRateAt(3, { ...schedule, warmupSteps: 0, decaySteps: 0 })).toBe(1);
  });
});
