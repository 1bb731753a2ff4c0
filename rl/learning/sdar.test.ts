import { describe, expect, it } from 'vitest';
import { gatedGap, sdarTokenWeights } from './sdar';

describe('the gated gap of SDAR', () => {
  it('is the gap times its sigmoid, a constant to the gradient', () => {
    const gate = 1 / (1 + Math.exp(-2));
    expect(gatedGap(-1, -0.6, 5)).toEqual({
      gap: expect.closeTo(0.4, 12),
      gate: expect.closeTo(gate, 12),
      loss: expect.closeTo(0.4 * gate, 12),
      gradient: expect.closeTo(-gate, 12),
    });
  });

  it('closes where the teacher finds the token unlikely, and never turns against it', () => {
    const { gate, gradient } = gatedGap(-0.1, -60, 5);
    expect(gate).toBeGreaterThan(0);
    expect(gate).toBeLessThan(1e-100);
    expect(gradient).toBe(-gate);
  });
});

describe('the aggregation of SDAR', () => {
  const mask = [
    [1, 1],
    [0, 0],
  ];

  it('counts rows that are masked whole', () => {
    expect(sdarTokenWeights(mask, 'seq-mean-token-sum')).toEqual([
      [0.5, 0.5],
      [0, 0],
    ]);
    expect(sdarTokenWeights(mask, 'seq-mean-token-mean')).toEqual([
      [0.25, 0.25],
      [NaN, NaN],
    ]);
    expect(sdarTokenWeights(mask, 'seq-mean-token-sum-norm')[0]).toEqual([0.5, 0.5]);
  });

  it('is 0 over no token with token-mean', () => {
    expect(sdarTokenWeights([[0, 0]], 'token-mean')).toEqual([[0, 0]]);
    expect(sdarTokenWeights(mask, 'token-mean')[0]?.[0]).toBeCloseTo(0.5, 7);
  });
});
