import { describe, expect, it } from 'vitest';
import { inRewardKl, klEstimate, nextKlCoefficient, type KlEstimator } from './kl';

const ESTIMATORS: KlEstimator[] = ['k1', 'abs', 'k2', 'k3'];

describe('estimates of the KL', () => {
  it('are those of a log-ratio of ln 2', () => {
    const value = (estimator: KlEstimator) => klEstimate(-1, -1 + Math.LN2, estimator).value;
    expect(value('k1')).toBeCloseTo(-Math.LN2, 12);
    expect(value('abs')).toBeCloseTo(Math.LN2, 12);
    expect(value('k2')).toBeCloseTo(Math.LN2 ** 2 / 2, 12);
    expect(value('k3')).toBeCloseTo(2 - 1 - Math.LN2, 12);
  });

  it.each(ESTIMATORS)('have the gradient that a small change of %s shows', (estimator) => {
    const width = 1e-6;
    for (const logprob of [-0.2, -1.5, -3.1]) {
      const value = (shift: number) => klEstimate(logprob + shift, -1, estimator).value;
      const slope = (value(width) - value(-width)) / (2 * width);
      expect(klEstimate(logprob, -1, estimator).gradient).toBeCloseTo(slope, 7);
    }
  });

  it('are 0 where both agree', () => {
    for (const estimator of ESTIMATORS) expect(klEstimate(-0.7, -0.7, estimator).value).toBe(0);
  });

  it('bound k3 on both sides, without a gradient beyond', () => {
    expect(klEstimate(-30, -1, 'k3')).toEqual({ value: 10, gradient: 0 });
    expect(klEstimate(-1, -30, 'k3')).toEqual({ value: 10, gradient: 0 });
    expect(klEstimate(-1, -10, 'k3').gradient).toBeCloseTo(1 - Math.exp(-9), 12);
  });

  it('bound the log-ratio of k3 where asked', () => {
    expect(klEstimate(-1, -9, 'k3', 5)).toEqual({ value: expect.closeTo(Math.exp(-5) + 4, 12), gradient: 0 });
    expect(klEstimate(-1, -9, 'k3', Infinity).value).toBeCloseTo(Math.exp(-8) + 7, 12);
  });

  it('over samples of the policy average to the KL of two distributions', () => {
    const policy = [0.7, 0.2, 0.1];
    const reference = [0.5, 0.25, 0.25];
    const kl = policy.reduce((sum, p, i) => sum + p * Math.log(p / (reference[i] ?? NaN)), 0);
    for (const estimator of ['k1', 'k3'] as const) {
      const mean = policy.reduce(
        (sum, p, i) => sum + p * klEstimate(Math.log(p), Math.log(reference[i] ?? NaN), estimator).value,
        0,
      );
      expect(mean).toBeCloseTo(kl, 12);
    }
  });
});

describe('KL in the reward', () => {
  const batch = {
    rewardsBT: [
      [0, 1],
      [5, 5],
    ],
    logprobsBT: [
      [-1, -2],
      [-1, -1],
    ],
    referenceLogprobsBT: [
      [-2, -4],
      [-9, -9],
    ],
    maskBT: [
      [1, 1],
      [0, 0],
    ],
  };

  it('is taken off sampled tokens, and a row without any counts as 0', () => {
    const { rewardsBT, kl } = inRewardKl(batch, { estimator: 'k1', coefficient: 0.1 });
    expect(rewardsBT).toEqual([
      [-0.1, 0.8],
      [5, 5],
    ]);
    expect(kl).toBeCloseTo(1.5 / 2, 7);
  });
});

describe('the adaptive coefficient', () => {
  const steering = { target: 0.1, horizon: 1000 };

  it('moves toward the target, by a fifth of the horizon at most', () => {
    expect(nextKlCoefficient(1, { kl: 5, sequences: 100 }, steering)).toBeCloseTo(1.02, 12);
    expect(nextKlCoefficient(1, { kl: 0, sequences: 100 }, steering)).toBeCloseTo(0.98, 12);
    expect(nextKlCoefficient(1, { kl: 0.11, sequences: 100 }, steering)).toBeCloseTo(1.01, 12);
  });

  it('refuses a target of 0', () => {
    expect(() => nextKlCoefficient(1, { kl: 1, sequences: 1 }, { target: 0, horizon: 1 })).toThrow(
      'target 0',
    );
  });
});
