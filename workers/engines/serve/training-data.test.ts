import { describe, expect, it } from 'vitest';
import { sequenceOf, toForwardBackwardAnswer, toTrainingCall } from './training-data';

const tensors = {
  target_tokens: { data: [2, 3] },
  weights: { data: [0, 1] },
  logprobs: { data: [null, -0.5] },
  advantages: { data: [0, 2] },
  reference_logprobs: { data: [0, -1] },
};
const datum = {
  model_input: {
    chunks: [
      { type: 'encoded_text' as const, tokens: [1] },
      { type: 'encoded_text' as const, tokens: [2] },
    ],
  },
  loss_fn_inputs: tensors,
};

describe('data of the protocol', () => {
  it('are the contract’s, chunks joined', () => {
    const { data, lossFn, config } = toTrainingCall({
      data: [datum],
      loss_fn: 'ppo',
      loss_fn_config: { clip_low_threshold: 0.7, kl_coef: 0.1 },
    });
    expect(data).toEqual([
      {
        modelInput: [1, 2],
        lossFnInputs: {
          targetTokens: [2, 3],
          weights: [0, 1],
          logprobs: [NaN, -0.5],
          advantages: [0, 2],
          referenceLogprobs: [0, -1],
        },
      },
    ]);
    expect({ lossFn, config }).toEqual({ lossFn: 'ppo', config: { clipLowThreshold: 0.7, klCoef: 0.1 } });
  });

  it('of importance sampling are those of a policy loss whose clip binds nothing', () => {
    expect(toTrainingCall({ data: [], loss_fn: 'importance_sampling' })).toEqual({
      data: [],
      lossFn: 'ppo',
      config: { clipLowThreshold: 0, clipHighThreshold: 1e30 },
    });
  });

  it.each([
    [{ data: [], loss_fn: 'gspo' }, 422, "Input should be 'cross_entropy', 'importance_sampling' or 'ppo'"],
    [{ data: [], loss_fn: 'constructor' }, 422, 'Input should be'],
    [
      { data: [], loss_fn: 'ppo', loss_fn_config: { constructor: 1 } },
      422,
      'ppo takes clip_low_threshold, clip_high_threshold, entropy_coef, kl_coef',
    ],
    [
      { data: [], loss_fn: 'cross_entropy', loss_fn_config: { clip: 1 } },
      422,
      'cross_entropy takes no settings',
    ],
    [
      { data: [{ ...datum, loss_fn_inputs: {} }], loss_fn: 'ppo' },
      400,
      'data[0].loss_fn_inputs.target_tokens is missing',
    ],
    [
      { data: [{ ...datum, loss_fn_inputs: { ...tensors, values: { data: [] } } }], loss_fn: 'ppo' },
      400,
      'data[0].loss_fn_inputs.values is unknown',
    ],
    [
      { data: [{ ...datum, loss_fn_inputs: { ...tensors, constructor: { data: [] } } }], loss_fn: 'ppo' },
      400,
      'data[0].loss_fn_inputs.constructor is unknown',
    ],
  ])('%j are refused', (input, status, message) => {
    expect(() => toTrainingCall(input)).toThrow(
      expect.objectContaining({ status, message: expect.stringContaining(message) as string }),
    );
  });

  it('are scored where targets are the input shifted by one, and refused where not', () => {
    expect(sequenceOf({ modelInput: [1, 2], lossFnInputs: { targetTokens: [2, 9] } }, 0)).toEqual([1, 2, 9]);
    const other = { modelInput: [1, 2], lossFnInputs: { targetTokens: [5, 9] } };
    expect(() => sequenceOf(other, 3)).toThrow('data[3]: forward needs target_tokens');
  });
});

it('what was not computed is null on the wire', () => {
  const answer = toForwardBackwardAnswer({
    logprobs: [Float32Array.of(NaN, -1)],
    entropies: [Float32Array.of(NaN, 0.5)],
    lossSum: 2,
    trainedTokens: 3,
  });
  expect(answer.loss_fn_outputs[0]).toEqual({
    logprobs: { data: [null, -1], dtype: 'float32', shape: [2] },
    entropies: { data: [null, 0.5], dtype: 'float32', shape: [2] },
  });
  expect(answer.metrics).toEqual({ 'loss:sum': 2, 'trained_tokens:sum': 3 });
});
