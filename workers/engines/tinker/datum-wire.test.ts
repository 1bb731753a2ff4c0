import { describe, expect, it } from 'vitest';
import type { Datum } from '@/contract/engine';
import { toForwardBackwardInputs } from './datum-wire';
import { lossSumOf, toWeightedTargets } from './token-loss';
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

function wired(lossFn: 'ppo' | 'cross_entropy', profile: ProfileId) {
  const [input, ...more] = toForwardBackwardInputs(DATA, lossFn, {}, PROFILES[profile]);
  if (!input) throw new Error('no request');
  expect(more).toEqual([]);
  return input;
}

const tensor = (datum: WireDatum | undefined, name: string): number[] =>
  (datum?.loss_fn_inputs[name]?.data ?? []).map((value) => value ?? NaN);

/** d loss / d log-probability at log-probability `lp`, of one token as the server defines its loss. */
function slope(lossFn: string, lp: number, old: number, advantage: number, weight: number): number {
  const ratio = Math.exp(lp - old);
  const isClipped = advantage > 0 ? ratio > 1.2 : ratio < 0.8;
  switch (lossFn) {
    case 'cross_entropy':
      return -weight;
    case 'cispo':
      return -advantage;
    default:
      return isClipped ? 0 : -ratio * advantage;
  }
}

/** The gradient that a server of this profile computes, by its own reduction. */
function serverGradient(lossFn: 'ppo' | 'cross_entropy', profile: ProfileId): number[][] {
  const { data, loss_fn: sent } = wired(lossFn, profile);
  return data.map((datum, index) => {
    const weights = tensor(datum, 'weights');
    const mask = PROFILES[profile].weightsAreMask
      ? weights
      : datum.model_input.chunks[0]?.tokens.map(() => 1);
    const sum = (mask ?? []).reduce((total, value) => total + value, 0);
    const mean = PROFILES[profile].lossReduction === 'sequence-mean' ? sum * data.length : 1;
    return Array.from(CURRENT[index] ?? [], (lp, t) => {
      const old = tensor(datum, 'logprobs')[t] ?? 0;
      const token = slope(sent, lp, old, tensor(datum, 'advantages')[t] ?? 0, weights[t] ?? 0);
      return (
        ((PROFILES[profile].weightsAreMask && sent !== 'cross_entropy' ? (mask?.[t] ?? 0) : 1) * token) / mean
      );
    });
  });
}

/** The contract's own: the derivative of the summed loss. */
function contractGradient(lossFn: 'ppo' | 'cross_entropy'): number[][] {
  return DATA.map(({ lossFnInputs }, index) =>
    Array.from(CURRENT[index] ?? [], (lp, t) =>
      slope(
        lossFn,
        lp,
        lossFnInputs.logprobs?.[t] ?? 0,
        lossFnInputs.advantages?.[t] ?? 0,
        lossFnInputs.weights?.[t] ?? 0,
      ),
    ),
  );
}

describe('data on the wire', () => {
  it.each(['stepscope', 'tinker', 'skyrl-jax', 'skyrl-train'] as const)(
    'have the contract’s gradient under the reduction of %s',
    (profile) => {
      for (const lossFn of ['ppo', 'cross_entropy'] as const) {
        const expected = contractGradient(lossFn);
        expect(expected.flat().filter((value) => value !== 0)).toHaveLength(lossFn === 'ppo' ? 2 : 3);
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
  it('is refused by name: an entropy bonus', () => {
    expect(() => toForwardBackwardInputs(DATA, 'ppo', { entropyCoef: 0.1 }, PROFILES['skyrl-jax'])).toThrow(
      'a skyrl-jax server computes no entropy, so it has no entropy bonus: entropyCoef is 0.1, expected 0',
    );
    expect(() =>
      toForwardBackwardInputs(DATA, 'ppo', { entropyCoef: 0.1 }, PROFILES.stepscope),
    ).not.toThrow();
  });

  it('is refused by place: a missing or infinite element, another length', () => {
    const [first] = DATA;
    const changed = (changes: Partial<Datum['lossFnInputs']>): Datum[] => [
      DATA[1] as Datum,
      { modelInput: [1, 2, 3], lossFnInputs: { ...(first as Datum).lossFnInputs, ...changes } },
    ];
    const send = (changes: Partial<Datum['lossFnInputs']>) => () =>
      toForwardBackwardInputs(changed(changes), 'ppo', {}, PROFILES.tinker);
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

describe('the loss that is computed here', () => {
  const references = [
    [0, -1, -3],
    [0, -0.5],
  ];
  const withReference = DATA.map(({ modelInput, lossFnInputs }, i): Datum => ({
    modelInput,
    lossFnInputs: { ...lossFnInputs, referenceLogprobs: references[i] ?? [] },
  }));

  it('is the contract’s, by hand', () => {
    // Ratios e^-0.5 = 0.6065 and 1 with A 0.1 and -0.3; e^0.25 = 1.2840 clipped to 1.2 with A 0.4.
    expect(lossSumOf(DATA, CURRENT, 'ppo', {})).toBeCloseTo(-(0.060653 - 0.3 + 0.48), 6);
    expect(lossSumOf(DATA, CURRENT, 'cross_entropy', {})).toBeCloseTo(0.2 * (1.5 + 2 + 0.25), 6);
    // k3 at distances 0.5, -1 and -0.25: 0.148721, 0.367879 and 0.028801.
    const penalty = 0.1 * 0.2 * (0.148721 + 0.367879 + 0.028801);
    const loss = lossSumOf(withReference, CURRENT, 'ppo', { klCoef: 0.1 });
    expect(loss - lossSumOf(DATA, CURRENT, 'ppo', {})).toBeCloseTo(penalty, 6);
  });

  it('has the slopes, as weights of cross-entropy, that differences of it show', () => {
    const config = { klCoef: 0.1, clipHighThreshold: 1.25 };
    const h = 1e-2;
    const targets = toWeightedTargets(withReference, CURRENT, config);
    let compared = 0;
    targets.forEach(({ lossFnInputs }, row) =>
      lossFnInputs.weights?.forEach((weight, t) => {
        const at = (shift: number) =>
          lossSumOf(
            withReference,
            CURRENT.map((lps, i) =>
              Float32Array.from(lps, (lp, j) => (i === row && j === t ? lp + shift : lp)),
            ),
            'ppo',
            config,
          );
        expect(weight).toBeCloseTo(-(at(h) - at(-h)) / (2 * h), 4);
        if (weight !== 0) compared++;
      }),
    );
    expect(compared).toBe(3);
  });
});
