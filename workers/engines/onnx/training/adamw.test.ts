import { describe, expect, it } from 'vitest';
import type { AdamParams } from '@/contract/engine';
import { adamStep, createAdamState } from './adamw';

const ADAM: AdamParams = {
  learningRate: 0.1,
  beta1: 0.9,
  beta2: 0.99,
  eps: 1e-8,
  weightDecay: 0.5,
  gradClipNorm: 0,
};

describe('adamStep', () => {
  it('gives the values of two updates worked by hand', () => {
    const parameters = Float32Array.of(1, -2);
    const state = createAdamState(2);
    expect(adamStep(parameters, Float32Array.of(3, -4), state, ADAM)).toEqual({ gradNorm: 5 });
    // Corrected moments are g and g^2: every element moves by the learning rate after decay to 0.95.
    expect(parameters[0]).toBeCloseTo(0.95 - 0.1, 6);
    expect(parameters[1]).toBeCloseTo(-1.9 + 0.1, 6);
    expect(state.m[0]).toBeCloseTo(0.3, 6);
    expect(state.v[1]).toBeCloseTo(0.16, 6);

    adamStep(parameters, Float32Array.of(1, 0), state, ADAM);
    // Element 0: m = 0.27 + 0.1 = 0.37, corrected 0.37 / 0.19; v = 0.0891 + 0.01 = 0.0991, corrected 0.0991 / 0.0199.
    expect(parameters[0]).toBeCloseTo(0.95 * 0.85 - (0.1 * (0.37 / 0.19)) / Math.sqrt(0.0991 / 0.0199), 6);
    // Element 1: m = -0.36, v = 0.1584.
    expect(parameters[1]).toBeCloseTo(0.95 * -1.8 + (0.1 * (0.36 / 0.19)) / Math.sqrt(0.1584 / 0.0199), 6);
    expect(state.updates).toBe(2);
  });

  it('scales a gradient above the clip norm down to it, and leaves a smaller one alone', () => {
    const moments = (gradClipNorm: number) => {
      const state = createAdamState(2);
      const { gradNorm } = adamStep(new Float32Array(2), Float32Array.of(3, -4), state, {
        ...ADAM,
        gradClipNorm,
      });
      expect(gradNorm).toBe(5);
      return [...state.m];
    };
    expect(moments(1)[0]).toBeCloseTo(0.06, 7);
    expect(moments(1)[1]).toBeCloseTo(-0.08, 7);
    expect(moments(6)).toEqual(moments(0));
  });

  it('changes nothing where the gradient is not finite or a setting is out of range', () => {
    const parameters = Float32Array.of(1, 2);
    const state = createAdamState(2);
    const step = (gradient: number[], adam: Partial<AdamParams>) => () =>
      adamStep(parameters, Float32Array.from(gradient), state, { ...ADAM, ...adam });
    expect(step([NaN, 0], {})).toThrow(/norm is NaN/);
    expect(step([1], {})).toThrow(/gradient has 1 elements, parameters has 2/);
    expect(step([1, 1], { beta2: 1 })).toThrow(/beta2 must be at least 0 and below 1, got 1/);
    expect(step([1, 1], { learningRate: NaN })).toThrow(/learningRate .* got NaN/);
    expect([...parameters]).toEqual([1, 2]);
    expect(state).toEqual(createAdamState(2));
  });
});
