import { afterAll, describe, expect, it } from 'vitest';
import { createRandom } from '@/rl/random';
import type { Datum, LossFn, LossFnConfig } from '@/contract/engine';
import { initializeParameters } from '../model/initialize';
import type { ModelConfig } from '../model/parameters';
import { adamStep, createAdamState } from './adamw';
import { randomData } from '../../../testing/random-data';
import { Trainer } from './trainer';
import type { TrainerOptions } from './trainer';

const config: ModelConfig = {
  vocabularySize: 24,
  hiddenSize: 32,
  layers: 2,
  heads: 4,
  keyValueHeads: 2,
  intermediateSize: 48,
  ropeTheta: 10_000,
  rmsNormEps: 1e-6,
  tiedEmbeddings: true,
  maxPositions: 512,
};
const parameters = initializeParameters(config, createRandom(7), 6);
const TERMS: LossFnConfig = { entropyCoef: 0.3, klCoef: 0.2 };
const CLIPPED: LossFnConfig = { clipLowThreshold: 0.8, clipHighThreshold: 1.28, ...TERMS };
const PPO: LossFnConfig = { ...CLIPPED, dualClip: 2 };
const LOSSES = [
  { lossFn: 'cross_entropy', lossConfig: {} },
  { lossFn: 'importance_sampling', lossConfig: TERMS },
  { lossFn: 'ppo', lossConfig: PPO },
  { lossFn: 'cispo', lossConfig: CLIPPED },
  { lossFn: 'gspo', lossConfig: CLIPPED },
] as const satisfies { lossFn: LossFn; lossConfig: LossFnConfig }[];

const opened: Trainer[] = [];
function trainer(options: Partial<TrainerOptions> = {}): Trainer {
  const created = new Trainer({ config, parameters, ...options });
  opened.push(created);
  return created;
}
afterAll(() => Promise.all(opened.map((each) => each.release())));

function batch(seed: number, { replies = 4, prompts = 8, promptLength = 20 } = {}): Datum[] {
  return randomData(createRandom(seed), {
    vocabularySize: config.vocabularySize,
    prompts,
    replies,
    promptLength,
    replyLength: 6,
    sharedLength: 5,
  });
}

function relativeDistance(left: ArrayLike<number>, right: ArrayLike<number>): number {
  let difference = 0;
  let norm = 0;
  for (let index = 0; index < left.length; index++) {
    difference += ((left[index] ?? NaN) - (right[index] ?? NaN)) ** 2;
    norm += (left[index] ?? NaN) ** 2;
  }
  return Math.sqrt(difference / norm);
}

/** The loss summed in f64 from the log-probabilities and entropies the trainer gave, datum by datum. */
function lossByHand(
  data: Datum[],
  lossFn: LossFn,
  output: { logprobs: Float32Array[]; entropies?: Float32Array[] },
): number {
  let loss = 0;
  data.forEach(({ lossFnInputs }, index) => {
    const { weights = [], advantages = [], logprobs: old = [], referenceLogprobs = [] } = lossFnInputs;
    const counted = [...weights.keys()].filter((t) => weights[t] !== 0);
    const logRatio = (t: number) => (output.logprobs[index]?.[t] ?? NaN) - (old[t] ?? NaN);
    const sequenceRatio = Math.exp(counted.reduce((sum, t) => sum + logRatio(t), 0) / counted.length);
    for (const t of counted) {
      const logprob = output.logprobs[index]?.[t] ?? NaN;
      const weight = weights[t] ?? NaN;
      if (lossFn === 'cross_entropy') {
        loss -= weight * logprob;
        continue;
      }
      const ratio = lossFn === 'gspo' ? sequenceRatio : Math.exp(logRatio(t));
      loss -= objectiveByHand(lossFn, ratio, advantages[t] ?? NaN, logprob);
      const distance = (referenceLogprobs[t] ?? NaN) - logprob;
      loss -= 0.3 * weight * (output.entropies?.[index]?.[t] ?? NaN);
      loss += 0.2 * weight * (Math.exp(distance) - distance - 1);
    }
  });
  return loss;
}

function objectiveByHand(lossFn: LossFn, ratio: number, advantage: number, logprob: number): number {
  const clipped = Math.min(Math.max(ratio, 0.8), 1.28);
  if (lossFn === 'importance_sampling') return ratio * advantage;
  if (lossFn === 'cispo') return clipped * logprob * advantage;
  const objective = Math.min(ratio * advantage, clipped * advantage);
  return lossFn === 'ppo' && advantage < 0 ? Math.max(objective, 2 * advantage) : objective;
}

describe.each(LOSSES)('Trainer.accumulate with $lossFn', ({ lossFn, lossConfig }) => {
  it('gives the loss that its own log-probabilities and entropies give by hand', async () => {
    const data = batch(1);
    const output = await trainer().accumulate(data, lossFn, lossConfig);
    const byHand = lossByHand(data, lossFn, output);
    expect(Math.abs(output.lossSum / byHand - 1)).toBeLessThan(1e-5);
    expect(output.logprobs.map(({ length }) => length)).toEqual(
      data.map(({ modelInput }) => modelInput.length),
    );
    expect(output.entropies?.length).toBe(lossFn === 'cross_entropy' ? undefined : data.length);
  });

  it('gives packed data, long and short, the gradient, loss and log-probabilities of one row for each', async () => {
    const data = [...batch(2), ...batch(8, { prompts: 1, promptLength: 200 })];
    const packed = trainer();
    const plain = trainer({ packing: { share: false }, maxMicroBatchTokens: 1024 });
    const one = await packed.accumulate(data, lossFn, lossConfig);
    const other = await plain.accumulate(data, lossFn, lossConfig);
    expect(relativeDistance(plain.gradient, packed.gradient)).toBeLessThanOrEqual(1e-5);
    expect(Math.abs(one.lossSum / other.lossSum - 1)).toBeLessThan(1e-5);
    const known = (arrays: Float32Array[] = []) =>
      arrays.flatMap((array) => [...array].filter((x) => !isNaN(x)));
    expect(known(one.logprobs)).toHaveLength(data.length * 6);
    expect(relativeDistance(known(other.logprobs), known(one.logprobs))).toBeLessThan(1e-5);
    if (lossFn !== 'cross_entropy')
      expect(relativeDistance(known(other.entropies), known(one.entropies))).toBeLessThan(1e-5);
    expect(one.trainedTokens).toBeLessThan(other.trainedTokens);
  });

  it('gives merged duplicates, of either sign of advantage, the gradient of separate ones', async () => {
    const data = batch(3, { replies: 2 }).flatMap((datum, index) => {
      const advantages = datum.lossFnInputs.advantages?.map(
        (advantage) => advantage * (index % 2 ? -0.7 : 0.4),
      );
      return [datum, datum, { ...datum, lossFnInputs: { ...datum.lossFnInputs, advantages } }];
    });
    const merged = trainer();
    const separate = trainer({ packing: { share: false } });
    const { trainedTokens } = await merged.accumulate(data, lossFn, lossConfig);
    await separate.accumulate(data, lossFn, lossConfig);
    expect(relativeDistance(separate.gradient, merged.gradient)).toBeLessThanOrEqual(1e-5);
    // 5 shared tokens for each row, then 8 prompts with 2 replies; the last token of a reply is a target only.
    expect(trainedTokens).toBeLessThanOrEqual(8 * (15 + 2 * 5) + 5 * 3);
  });
});

describe.each(LOSSES)('Trainer with $lossFn', ({ lossFn, lossConfig }) => {
  it('computes a row that comes three times once, with three times its loss and gradient', async () => {
    const data = batch(10);
    const once = trainer();
    const thrice = trainer();
    const single = await once.accumulate(data, lossFn, lossConfig);
    const triple = await thrice.accumulate([...data, ...data, ...data], lossFn, lossConfig);
    expect(triple.trainedTokens).toBe(single.trainedTokens);
    expect(triple.logprobs).toHaveLength(3 * data.length);
    expect(triple.lossSum / single.lossSum).toBeCloseTo(3, 5);
    const tripled = once.gradient.map((value) => 3 * value);
    expect(relativeDistance(tripled, thrice.gradient)).toBeLessThanOrEqual(1e-6);
  });

  it('gives the same whatever the bound of a micro-batch, below its longest row too', async () => {
    const data = [...batch(11), ...batch(12, { prompts: 2, promptLength: 180 })];
    const passes = [];
    for (const maxMicroBatchTokens of [128, 512, 1 << 14]) {
      const each = trainer({ maxMicroBatchTokens });
      const output = await each.accumulate(data, lossFn, lossConfig);
      passes.push({ ...output, gradient: each.gradient });
    }
    const [alone, ...others] = passes;
    if (!alone) throw new Error('a pass');
    for (const other of others) {
      expect(relativeDistance(alone.gradient, other.gradient)).toBeLessThanOrEqual(1e-6);
      expect(Math.abs(other.lossSum / alone.lossSum - 1)).toBeLessThanOrEqual(1e-6);
    }
  });

  it('gives forward what a gradient comes with, and leaves the gradient alone', async () => {
    const data = batch(13);
    const both = trainer();
    const backward = await both.accumulate(data, lossFn, lossConfig);
    const gradient = both.gradient.slice();
    const forward = await both.forward(data, lossFn, lossConfig);
    expect(both.gradient).toEqual(gradient);
    expect(Math.abs(forward.lossSum / backward.lossSum - 1)).toBeLessThanOrEqual(1e-6);
    expect({ ...forward, lossSum: 0, seconds: 0 }).toEqual({ ...backward, lossSum: 0, seconds: 0 });
  });
});

describe('Trainer', () => {
  it('adds gradients over calls and micro-batches, and repeats to the last bit', async () => {
    const data = batch(4);
    const whole = trainer();
    await whole.accumulate(data, 'ppo', PPO);
    const pieces = trainer({ maxMicroBatchTokens: 128 });
    await pieces.accumulate(data.slice(0, 10), 'ppo', PPO);
    await pieces.accumulate(data.slice(10), 'ppo', PPO);
    expect(relativeDistance(whole.gradient, pieces.gradient)).toBeLessThanOrEqual(1e-5);
    const again = trainer();
    await again.accumulate(data, 'ppo', PPO);
    expect(again.gradient).toEqual(whole.gradient);
  });

  it('stays finite where the policy has left the sampled one far behind', async () => {
    const data = batch(5).map((datum) => ({
      ...datum,
      lossFnInputs: {
        ...datum.lossFnInputs,
        logprobs: datum.lossFnInputs.logprobs?.map((logprob, index) => (index % 2 ? -300 : logprob)),
      },
    }));
    const far = trainer();
    const { lossSum } = await far.accumulate(data, 'ppo');
    expect(Number.isFinite(lossSum)).toBe(true);
    expect(far.gradient.every(Number.isFinite)).toBe(true);
  });

  it('does not compute what has neither weight nor advantage', async () => {
    const [first, second] = batch(6);
    if (!first || !second) throw new Error('two data');
    const silent = second.modelInput.map(() => 0);
    const data = [
      first,
      { ...second, lossFnInputs: { ...second.lossFnInputs, weights: silent, advantages: silent } },
    ];
    const output = await trainer().accumulate(data, 'ppo');
    expect(output.trainedTokens).toBe(first.modelInput.length);
    expect(output.logprobs[1]?.every(Number.isNaN)).toBe(true);
    const none = await trainer().accumulate([], 'ppo');
    expect(none).toMatchObject({ lossSum: 0, trainedTokens: 0, paddedTokens: 0, logprobs: [] });
  });

  it('refuses a vector of another length than the model has', () => {
    expect(() => trainer({ parameters: new Float32Array(3) })).toThrow(
      /parameters has 3 elements, the model has/,
    );
  });

  it('learns to copy a token over a distance with cross-entropy', async () => {
    const random = createRandom(9);
    const weights = initializeParameters(config, random, 2);
    const learner = trainer({ parameters: weights });
    const adam = createAdamState(weights.length);
    const copies = (): Datum[] =>
      Array.from({ length: 32 }, () => {
        const copied = random.integer(20);
        const sequence = [20, copied, 21, 22, copied];
        return {
          modelInput: sequence.slice(0, -1),
          lossFnInputs: { targetTokens: sequence.slice(1), weights: [0, 0, 0, 1 / 32] },
        };
      });
    const losses: number[] = [];
    for (let update = 0; update < 80; update++) {
      learner.gradient.fill(0);
      losses.push((await learner.accumulate(copies(), 'cross_entropy')).lossSum);
      adamStep(weights, learner.gradient, adam, {
        learningRate: 5e-3,
        beta1: 0.9,
        beta2: 0.95,
        eps: 1e-8,
        weightDecay: 0,
        gradClipNorm: 1,
      });
    }
    // Chance among the 20 tokens is ln 20 = 3.0 nats.
    expect(losses[0]).toBeGreaterThan(2.5);
    expect(Math.max(...losses.slice(-10))).toBeLessThan(0.3);
  });
});
