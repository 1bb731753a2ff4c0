import { describe, expect, it } from 'vitest';
import type { Datum, LossFn, LossFnConfig } from '@/contract/engine';
import { toForwardBackwardInputs } from './datum-wire';
import { PROFILES, type ProfileId } from './profile';
import type { WireDatum } from './wire';

/** Two rows of unlike length: prompts without weight, replies with a share of the mean. */
const DATA: Datum[] = [
  {
    modelInput: [1, 2, 3],
    lossFnInputs: {
      targetTokens: [2, 3, 4],
      weights: [0, 0.2, 0.2],
      logprobs: [0, -1, -2],
      advantages: [0, 0.1, -0.3],
    },
  },
  {
    modelInput: [5, 6],
    lossFnInputs: { targetTokens: [6, 7], weights: [0, 0.2], logprobs: [0, -0.5], advantages: [0, 0.4] },
  },
];
const CURRENT = [Float32Array.of(-9, -1.5, -2), Float32Array.of(-9, -0.25)];

function wired(lossFn: LossFn, profile: ProfileId, config: LossFnConfig = {}) {
  const [input, ...more] = toForwardBackwardInputs(DATA, lossFn, config, PROFILES[profile]);
  if (!input) throw new Error('no request');
  expect(more).toEqual([]);
  return input;
}

const tensor = (datum: WireDatum | undefined, name: string): number[] =>
  (datum?.loss_fn_inputs[name]?.data ?? []).map((value) => value ?? NaN);

interface Token {
  lp: number;
  old: number;
  advantage: number;
  weight: number;
}

/** d loss / d log-probability of each token of a row, as the server defines its loss. */
function slopes(lossFn: string, row: readonly Token[], { low = 0.8, high = 1.2 } = {}): number[] {
  const counted = row.filter(({ advantage, weight }) => advantage !== 0 || weight !== 0);
  const mean = counted.reduce((sum, { lp, old }) => sum + (lp - old), 0) / counted.length;
  return row.map(({ lp, old, advantage, weight }) => {
    const ratio = Math.exp(lossFn === 'gspo' ? mean : lp - old);
    const isClipped = advantage > 0 ? ratio > high : ratio < low;
    switch (lossFn) {
      case 'cross_entropy':
        return -weight;
      case 'cispo':
        return -Math.min(Math.max(ratio, low), high) * advantage;
      case 'importance_sampling':
        return -ratio * advantage;
      default:
        return isClipped ? 0 : -ratio * advantage;
    }
  });
}

/** The gradient that a server of this profile computes, by its own reduction. */
function serverGradient(lossFn: LossFn, profile: ProfileId): number[][] {
  const { data, loss_fn: sent, loss_fn_config: config } = wired(lossFn, profile);
  const { weightsAreMask, lossReduction } = PROFILES[profile];
  const bounds = { low: config?.clip_low_threshold, high: config?.clip_high_threshold };
  return data.map((datum, index) => {
    const [weights, old, advantages] = ['weights', 'logprobs', 'advantages'].map((name) =>
      tensor(datum, name),
    );
    const row = Array.from(CURRENT[index] ?? [], (lp, t) => ({
      lp,
      old: old?.[t] ?? 0,
      advantage: advantages?.[t] ?? 0,
      weight: weights?.[t] ?? 0,
    }));
    const isMasked = weightsAreMask && sent !== 'cross_entropy';
    const tokens = row.reduce((sum, { weight }) => sum + weight, 0);
    const mean = lossReduction === 'sequence-mean' ? tokens * data.length : 1;
    return slopes(sent, row, bounds).map(
      (slope, t) => ((isMasked ? (row[t]?.weight ?? 0) : 1) * slope) / mean,
    );
  });
}

/** The contract's own: the derivative of the summed loss. */
function contractGradient(lossFn: LossFn): number[][] {
  return DATA.map(({ lossFnInputs: { logprobs, advantages, weights } }, index) =>
    slopes(
      lossFn,
      Array.from(CURRENT[index] ?? [], (lp, t) => ({
        lp,
        old: logprobs?.[t] ?? 0,
        advantage: advantages?.[t] ?? 0,
        weight: weights?.[t] ?? 0,
      })),
    ),
  );
}

describe('data on the wire', () => {
  it.each(['stepscope', 'tinker', 'skyrl-jax', 'skyrl-train'] as const)(
    'have the contract’s gradient under the reduction of %s',
    (profile) => {
      for (const lossFn of PROFILES[profile].losses) {
        const expected = contractGradient(lossFn);
        const moving = expected.flat().filter((value) => value !== 0);
        // Ratios e^-0.5, 1 and e^0.25, the last above 1.2; of the sequences e^-0.25, below 0.8, and e^0.25.
        expect(moving).toHaveLength(lossFn === 'gspo' ? 1 : lossFn === 'ppo' ? 2 : 3);
        serverGradient(lossFn, profile).forEach((row, index) =>
          row.forEach((value, t) => expect(value).toBeCloseTo(expected[index]?.[t] ?? NaN, 12)),
        );
      }
    },
  );

  it('are scaled by their sequence’s tokens and the count of data where the server takes means', () => {
    const { data } = wired('ppo', 'skyrl-jax');
    expect(tensor(data[0], 'weights')).toEqual([0, 1, 1]);
    // 2 tokens x 2 data, and 1 token x 2 data.
    expect(tensor(data[0], 'advantages').map((value) => +value.toFixed(12))).toEqual([0, 0.4, -1.2]);
    expect(tensor(data[1], 'advantages')).toEqual([0, 0.8]);
  });

  it('go to the hosted service without the weights that it does not know of a policy loss', () => {
    expect(Object.keys(wired('ppo', 'tinker').data[0]?.loss_fn_inputs ?? {}).sort()).toEqual([
      'advantages',
      'logprobs',
      'target_tokens',
    ]);
  });

  it('are cut into requests of at most 1,024 data, in order', () => {
    const many = Array.from({ length: 2500 }, (_, i): Datum => ({
      modelInput: [i],
      lossFnInputs: { targetTokens: [1], weights: [1] },
    }));
    const parts = toForwardBackwardInputs(many, 'cross_entropy', {}, PROFILES.tinker);
    expect(parts.map(({ data }) => data.length)).toEqual([1024, 1024, 452]);
    expect(parts[1]?.data[0]?.model_input.chunks[0]?.tokens).toEqual([1024]);
  });

  it('are cut by their size, a datum that is too large alone going alone', () => {
    const long = (tokens: number): Datum => ({
      modelInput: new Array<number>(tokens).fill(1),
      lossFnInputs: {
        targetTokens: new Array<number>(tokens).fill(1),
        weights: new Array<number>(tokens).fill(1),
      },
    });
    // 16 bytes a token: 100,000 tokens are 1.6 MB, 400,000 are 6.4 MB.
    const parts = toForwardBackwardInputs(
      [long(100_000), long(100_000), long(100_000), long(100_000), long(400_000)],
      'cross_entropy',
      {},
      PROFILES.tinker,
    );
    expect(parts.map(({ data }) => data.length)).toEqual([3, 1, 1]);
  });
});

describe('what a server cannot compute', () => {
  it('is refused by name: a loss, or a setting of one', () => {
    expect(() => wired('gspo', 'tinker')).toThrow('a tinker server does not compute gspo with {}');
    expect(() => wired('ppo', 'skyrl-jax', { entropyCoef: 0.1, klCoef: 0 })).toThrow(
      'a skyrl-jax server does not compute ppo with {"entropyCoef":0.1,"klCoef":0}',
    );
    expect(() => wired('ppo', 'skyrl-train', { dualClip: 3 })).toThrow(
      'does not compute ppo with {"dualClip":3}',
    );
  });

  it('is not sent where it is 0', () => {
    expect(wired('ppo', 'tinker', { clipHighThreshold: 1.3, entropyCoef: 0, klCoef: 0 })).toMatchObject({
      loss_fn: 'ppo',
      loss_fn_config: { clip_high_threshold: 1.3 },
    });
    expect(wired('importance_sampling', 'tinker', { klCoef: 0 })).not.toHaveProperty('loss_fn_config');
    expect(wired('ppo', 'stepscope', { dualClip: 3, entropyCoef: 0.1 }).loss_fn_config).toEqual({
      dual_clip: 3,
      entropy_coef: 0.1,
    });
  });

  it('is refused by place: a missing or infinite element, another length', () => {
    const [first] = DATA;
    const changed = (changes: Partial<Datum['lossFnInputs']>): Datum[] => [
      DATA[1] as Datum,
      { modelInput: [1, 2, 3], lossFnInputs: { ...(first as Datum).lossFnInputs, ...changes } },
    ];
    const send = (changes: Partial<Datum['lossFnInputs']>) => () =>
      toForwardBackwardInputs(changed(changes), 'ppo', {}, PROFILES.tinker);
    expect(send({ advantages: undefined })).toThrow('data[1].lossFnInputs.advantages is missing');
    expect(send({ logprobs: undefined })).toThrow('data[1].lossFnInputs.logprobs is missing');
    expect(send({ advantages: [0, Infinity, 0] })).toThrow(
      'data[1].lossFnInputs.advantages[1] must be finite',
    );
    expect(send({ logprobs: [NaN, NaN, -1] })).toThrow(
      'data[1].lossFnInputs.logprobs[1] must be finite, got NaN',
    );
    expect(send({ logprobs: [NaN, -1, -1] })).not.toThrow();
    expect(send({ logprobs: [0, 0] })).toThrow(
      'data[1].lossFnInputs.logprobs has length 2, modelInput has 3',
    );
  });
});
