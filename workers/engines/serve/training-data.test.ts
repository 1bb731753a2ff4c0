import { describe, expect, it } from 'vitest';
import type { Datum, LossFn, TrainingClient } from '@/contract/engine';
import { forwardOf, toForwardBackwardAnswer, toTrainingCall } from './training-data';

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

  it('have the settings that their loss takes', () => {
    const config = { clip_low_threshold: 0.9, dual_clip: 3, entropy_coef: 0.1 };
    expect(toTrainingCall({ data: [], loss_fn: 'ppo', loss_fn_config: config }).config).toEqual({
      clipLowThreshold: 0.9,
      dualClip: 3,
      entropyCoef: 0.1,
    });
    expect(toTrainingCall({ data: [], loss_fn: 'importance_sampling', loss_fn_config: null })).toEqual({
      data: [],
      lossFn: 'importance_sampling',
      config: {},
    });
  });

  it.each([
    [
      { data: [], loss_fn: 'dro' },
      422,
      "Input should be 'cross_entropy', 'importance_sampling', 'ppo', 'cispo' or 'gspo'",
    ],
    [{ data: [], loss_fn: 'constructor' }, 422, 'Input should be'],
    [
      { data: [], loss_fn: 'ppo', loss_fn_config: { constructor: 1 } },
      422,
      'ppo takes clip_low_threshold, clip_high_threshold, dual_clip, entropy_coef, kl_coef',
    ],
    [
      { data: [], loss_fn: 'cross_entropy', loss_fn_config: { clip: 1 } },
      422,
      'cross_entropy takes no settings',
    ],
    [
      { data: [], loss_fn: 'gspo', loss_fn_config: { dual_clip: 3 } },
      422,
      'gspo takes clip_low_threshold, clip_high_threshold, entropy_coef, kl_coef',
    ],
    [
      { data: [], loss_fn: 'cispo', loss_fn_config: { clip_low_threshold: 2 } },
      422,
      'Value must not exceed the upper bound 1.2, got 2',
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

  it('name the setting that is out of range, as a body’s field', () => {
    const config = { clip_high_threshold: 1.3, dual_clip: 0.5 };
    expect(() => toTrainingCall({ data: [], loss_fn: 'ppo', loss_fn_config: config })).toThrow(
      expect.objectContaining({
        detail: [
          {
            type: 'value_error',
            loc: ['forward_backward_input', 'loss_fn_config', 'dual_clip'],
            msg: 'Value must be above 1 and the lower bound 0.8, got 0.5',
          },
        ],
      }),
    );
  });
});

describe('a pass without gradient', () => {
  /** Answers log-probability -2 for every target that has a weight, and keeps what it was asked. */
  function trainingClient() {
    const asked: { data: Datum[]; lossFn: LossFn }[] = [];
    const forward: TrainingClient['forward'] = (data, lossFn) => {
      asked.push({ data, lossFn });
      const logprobs = data.map(({ lossFnInputs: { weights = [] } }) =>
        Float32Array.from(weights, (weight) => (weight === 0 ? NaN : -2)),
      );
      return Promise.resolve({ logprobs, lossSum: 7, trainedTokens: 2 });
    };
    return { asked, forward };
  }
  const call = (lossFn: LossFn, weights?: number[]) => ({
    data: [{ modelInput: [1, 2], lossFnInputs: { targetTokens: [2, 9], weights } }],
    lossFn,
    config: {},
  });

  it('tells every log-probability of cross-entropy, and the loss of those that are weighted', async () => {
    const output = await forwardOf(trainingClient(), call('cross_entropy', [0, 0.5]));
    expect(output.logprobs).toEqual([Float32Array.of(-2, -2)]);
    expect(output.lossSum).toBe(1);
    expect((await forwardOf(trainingClient(), call('cross_entropy'))).lossSum).toBe(4);
  });

  it('of any other loss is what the engine makes of it', async () => {
    const client = trainingClient();
    expect((await forwardOf(client, call('ppo', [0, 0.5]))).lossSum).toBe(7);
    expect(client.asked).toEqual([{ data: call('ppo', [0, 0.5]).data, lossFn: 'ppo' }]);
  });

  it('refuses weights that are no number for each target', async () => {
    for (const weights of [[1], [1, NaN]])
      await expect(forwardOf(trainingClient(), call('cross_entropy', weights))).rejects.toThrow(
        'data[0].loss_fn_inputs.weights needs a number for each target',
      );
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
