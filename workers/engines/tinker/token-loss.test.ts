import { describe, expect, it } from 'vitest';
import type { Datum, LossFn, LossFnConfig } from '@/contract/engine';
import { lossSumOf, toWeightedTargets } from './token-loss';

/** log 2 and log 4, for ratios of 2, 1/2, 4 and 1/4. */
const LOG_2 = Math.log(2);
const LOG_4 = Math.log(4);

function datum(tensors: Omit<Datum['lossFnInputs'], 'targetTokens'>): Datum {
  const tokens = (tensors.weights ?? tensors.advantages ?? []).map(() => 1);
  return { modelInput: tokens, lossFnInputs: { targetTokens: tokens, ...tensors } };
}

/** Ratios 2, 1/2, 2, 1/2, 4, and each sign of advantage outside the bounds 0.8 and 1.2. */
const OUTSIDE = datum({ advantages: [1, 1, -1, -1, -1], logprobs: [-1, -1, -1, -1, -1.5] });
const OUTSIDE_LOGPROBS = Float32Array.of(-1 + LOG_2, -1 - LOG_2, -1 + LOG_2, -1 - LOG_2, -1.5 + LOG_4);

describe('a loss of told log-probabilities', () => {
  it.each<[LossFn, LossFnConfig, number, number[]]>([
    ['importance_sampling', {}, -2 - 0.5 + 2 + 0.5 + 4, [-2, -0.5, 2, 0.5, 4]],
    ['ppo', {}, -1.2 - 0.5 + 2 + 0.8 + 4, [0, -0.5, 2, 0, 4]],
    ['ppo', { dualClip: 3 }, -1.2 - 0.5 + 2 + 0.8 + 3, [0, -0.5, 2, 0, 0]],
    ['ppo', { clipHighThreshold: 3 }, -2 - 0.5 + 2 + 0.8 + 4, [-2, -0.5, 2, 0, 4]],
    [
      'cispo',
      {},
      // Minus factors 1.2, 0.8, -1.2, -0.8, -1.2 times the log-probabilities.
      -1.2 * (-1 + LOG_2) -
        0.8 * (-1 - LOG_2) +
        1.2 * (-1 + LOG_2) +
        0.8 * (-1 - LOG_2) +
        1.2 * (-1.5 + LOG_4),
      [-1.2, -0.8, 1.2, 0.8, 1.2],
    ],
    // The mean of log 2, -log 2, log 2, -log 2 and log 4 is log 4 / 5: a ratio of 4^0.2 = 1.3195.
    ['gspo', {}, -2 * 1.2 + 3 * 1.319508, [0, 0, 1.319508, 1.319508, 1.319508]],
  ])('is the contract’s: %s with %j', (lossFn, config, loss, slopes) => {
    expect(lossSumOf([OUTSIDE], [OUTSIDE_LOGPROBS], lossFn, config)).toBeCloseTo(loss, 5);
    const [weighted] = toWeightedTargets([OUTSIDE], [OUTSIDE_LOGPROBS], lossFn, config);
    slopes.forEach((slope, t) => expect(weighted?.lossFnInputs.weights?.[t]).toBeCloseTo(-slope, 5));
  });

  it('of cross-entropy is the weighted sum, what has no weight being left unread', () => {
    const data = [datum({ weights: [0, 0.5, 2] })];
    expect(lossSumOf(data, [Float32Array.of(NaN, -1, -3)], 'cross_entropy', {})).toBeCloseTo(6.5, 6);
  });

  it('takes a sequence’s mean over what has weight or advantage', () => {
    const data = [
      datum({ weights: [1, 1, 0], advantages: [1, -1, 0], logprobs: [-2, -2, NaN] }),
      datum({ weights: [1, 1], advantages: [-1, 0], logprobs: [-2, -2] }),
    ];
    const logprobs = [Float32Array.of(-2 + LOG_4, -2, NaN), Float32Array.of(-2 + LOG_4, -2)];
    // Both means are log 2: 1.2 and 2 of the first, 2 of the second.
    expect(lossSumOf(data, logprobs, 'gspo', {})).toBeCloseTo(-1.2 + 2 + 2, 6);
    const weights = toWeightedTargets(data, logprobs, 'gspo', {}).map(
      ({ lossFnInputs }) => lossFnInputs.weights,
    );
    expect(weights.map((row) => row?.map((weight) => +weight.toFixed(5)))).toEqual([
      [0, -2, 0],
      [-2, 0],
    ]);
  });

  it('has the KL term beside it, whose slope differences of it show', () => {
    const data = [datum({ weights: [0, 0.5, 1], advantages: [0, 0, 0], referenceLogprobs: [NaN, -1, -3] })];
    const at = (shift: number) => [Float32Array.of(-9, -1.5 + shift, -2 + shift)];
    const loss = (shift: number) => lossSumOf(data, at(shift), 'ppo', { klCoef: 0.1 });
    // k3 at distances 0.5 and -1: 0.148721 and 0.367879.
    expect(loss(0)).toBeCloseTo(0.1 * (0.5 * 0.148721 + 0.367879), 6);
    const [weighted] = toWeightedTargets(data, at(0), 'ppo', { klCoef: 0.1 });
    const [silent, ...slopes] = weighted?.lossFnInputs.weights ?? [];
    expect(silent).toBe(0);
    const h = 1e-2;
    expect(-slopes.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo((loss(h) - loss(-h)) / (2 * h), 5);
  });
});
