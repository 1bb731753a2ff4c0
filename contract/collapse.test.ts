import { describe, expect, it } from 'vitest';
import { entropyCollapse, formatCollapse, logprobCollapse, noLearningSignal } from './collapse';

/** The first step, counted from 1, at which a detector speaks; null where it stays silent. */
function firstStep<Value>(detect: (series: readonly Value[]) => string | null, series: readonly Value[]) {
  const index = series.findIndex((_, at) => detect(series.slice(0, at + 1)) !== null);
  return index === -1 ? null : index + 1;
}

const repeat = <Value>(value: Value, times: number): Value[] => Array.from({ length: times }, () => value);

describe('format collapse', () => {
  const sound = repeat(0.04, 5);

  it('is found at the third step in a row whose smoothed rate is above twice the baseline', () => {
    // Smoothed: .064, .0808, .09256, .100792, .1065544, ...; twice the baseline is .08.
    expect(firstStep(formatCollapse, [...sound, ...repeat(0.12, 10)])).toBe(5 + 4);
  });

  it('is not found where the rate falls back after two such steps', () => {
    // Smoothed: .064, .0808, .09256, .064792, ...
    expect(firstStep(formatCollapse, [...sound, 0.12, 0.12, 0.12, ...repeat(0, 10)])).toBeNull();
  });

  it('is found at once above 30 %', () => {
    expect(firstStep(formatCollapse, [...sound, 1])).toBe(6);
    expect(formatCollapse([...sound, 1])).toBe(
      'replies that break the format rose from 4.0 to 32.8 % (smoothed)',
    );
  });

  it('is not found in a model that has yet to learn the format', () => {
    expect(
      firstStep(
        formatCollapse,
        Array.from({ length: 40 }, (_, step) => 0.9 * Math.exp(-step / 10)),
      ),
    ).toBeNull();
  });

  it('is not found where single replies break a format that was always kept', () => {
    expect(firstStep(formatCollapse, [...repeat(0, 5), ...repeat(0.04, 20)])).toBeNull();
  });
});

describe('log-probability collapse', () => {
  /** Of three rounds the median is -0.5 and the robust sigma 1.4826 × 0.01: four of them are 0.0593. */
  const reference = repeat([-0.48, -0.49, -0.5, -0.51, -0.52], 4).flat();

  it('is found at the step at which the fall within five steps passes four robust sigmas', () => {
    // The highest of the five steps before is -0.48.
    expect(firstStep(logprobCollapse, [...reference, -0.539])).toBeNull();
    expect(firstStep(logprobCollapse, [...reference, -0.54])).toBe(21);
  });

  it('is not found where a greater fall is spread over more than five steps', () => {
    const slow = Array.from({ length: 20 }, (_, step) => -0.48 - 0.01 * step);
    expect(firstStep(logprobCollapse, [...reference, ...slow])).toBeNull();
  });

  it('is not found before there are ten steps to measure it against', () => {
    expect(firstStep(logprobCollapse, [...repeat(-0.5, 14), -5])).toBeNull();
    expect(firstStep(logprobCollapse, [...repeat(-0.5, 15), -5])).toBe(16);
  });

  it('is not found in a steady sampler that moves by less than 0.04 nats', () => {
    expect(firstStep(logprobCollapse, [...repeat(-0.5, 20), -0.539])).toBeNull();
    expect(firstStep(logprobCollapse, [...repeat(-0.5, 20), -0.541])).toBe(21);
  });
});

describe('no learning signal', () => {
  const signal = { degenerateGroupRate: 0.5, trainedTokens: 100 };
  const none = { degenerateGroupRate: 1, trainedTokens: 100 };
  const untrained = { degenerateGroupRate: NaN, trainedTokens: 0 };
  const detect = (series: readonly (typeof signal)[]) => noLearningSignal(series, 3);

  it('is found at the third step in a row without one', () => {
    expect(firstStep(detect, [signal, none, untrained, none])).toBe(4);
  });

  it('is not found where one step of the three has one', () => {
    expect(firstStep(detect, [none, none, signal, none, none])).toBeNull();
  });

  it('is not found in a recipe without groups that trains', () => {
    expect(firstStep(detect, repeat({ degenerateGroupRate: NaN, trainedTokens: 7 }, 10))).toBeNull();
  });
});

describe('entropy collapse', () => {
  const start = repeat(1, 5);

  it('is found once the line through twenty steps ends below a tenth of the start', () => {
    // From step 6 on 0.2, 0.19, ...: the line is the series, and passes 0.1 at its twelfth value, with too few steps.
    const falling = Array.from({ length: 20 }, (_, step) => 0.2 - 0.01 * step);
    expect(firstStep(entropyCollapse, [...start, ...falling])).toBe(25);
  });

  it('is not found where it stays above a tenth of the start', () => {
    const falling = Array.from({ length: 40 }, (_, step) => 0.5 - 0.0099 * step);
    expect(firstStep(entropyCollapse, [...start, ...falling])).toBeNull();
  });

  it('is not found where it is low and rises again', () => {
    const rising = Array.from({ length: 40 }, (_, step) => 0.05 + 0.001 * step);
    expect(firstStep(entropyCollapse, [...start, ...rising])).toBeNull();
  });
});
