import { describe, expect, it } from 'vitest';
import { createRandom } from '@/rl/random';
import type { Datum, LossFn, LossFnConfig } from '@/contract/engine';
import { initializeParameters } from '../model/initialize';
import type { ModelConfig } from '../model/parameters';
import { parameterSpecs } from '../model/parameters';
import { targetedSequences } from './datum-targets';
import { microBatches, microBatchFeeds } from './micro-batch';
import { packRows } from './packing';
import { randomData } from '../../../testing/random-data';
import { openSession, parameterFeeds } from '../session';
import { buildTrainingGraph } from './graph';
import { batchFeeds, outputData } from './tensors';
import type { TrainingGraphOptions } from './graph';

const base: ModelConfig = {
  vocabularySize: 13,
  hiddenSize: 16,
  layers: 2,
  heads: 4,
  keyValueHeads: 2,
  intermediateSize: 24,
  ropeTheta: 10_000,
  rmsNormEps: 1e-6,
  tiedEmbeddings: true,
  maxPositions: 64,
};

/** Tied and untied heads, with and without biases and head norms, heads together as wide as the hidden size and wider. */
const MODELS: [name: string, config: ModelConfig][] = [
  ['Qwen2, tied', base],
  ['Qwen2, untied', { ...base, tiedEmbeddings: false }],
  ['Qwen3, tied', { ...base, family: 'qwen3', headSize: 6 }],
  [
    'Qwen3, untied, with biases, one key head',
    { ...base, family: 'qwen3', attentionBias: true, tiedEmbeddings: false, keyValueHeads: 1 },
  ],
];

const TERMS: LossFnConfig = { entropyCoef: 0.3, klCoef: 0.2 };
const CLIPPED: LossFnConfig = { clipLowThreshold: 0.8, clipHighThreshold: 1.28, ...TERMS };
const CASES = [
  { lossFn: 'cross_entropy', lossConfig: {} },
  { lossFn: 'importance_sampling', lossConfig: TERMS },
  { lossFn: 'ppo', lossConfig: { ...CLIPPED, dualClip: 2 } },
  { lossFn: 'cispo', lossConfig: CLIPPED },
  { lossFn: 'gspo', lossConfig: CLIPPED },
] as const satisfies { lossFn: LossFn; lossConfig: LossFnConfig }[];

function data(): Datum[] {
  return randomData(createRandom(5), {
    vocabularySize: base.vocabularySize,
    prompts: 4,
    replies: 3,
    promptLength: 6,
    replyLength: 5,
    sharedLength: 2,
  });
}

/** Parameters far from the symmetric start: biases and norms vary too, so that no gradient vanishes by accident. */
function parametersOf(config: ModelConfig): Float64Array {
  const random = createRandom(3);
  return Float64Array.from(
    initializeParameters(config, random, 12),
    (value) => value + 0.2 * (random.next() - 0.5),
  );
}

interface Case {
  config: ModelConfig;
  lossFn: LossFn;
  lossConfig: LossFnConfig;
  precision?: TrainingGraphOptions['precision'];
  fused?: boolean;
  threads?: number;
}

/**
 * A function of the parameters that gives loss and flat gradient of the one micro-batch `data()` makes, and what the loss
 * is where factors through which no gradient flows are held as they are at `held`.
 */
async function lossFunction({ config, lossFn, lossConfig, precision = 'f64', fused, threads = 2 }: Case) {
  const rows = packRows(targetedSequences(data(), lossFn, lossConfig, config));
  const [batch, ...more] = microBatches(rows, 4096);
  if (!batch || more.length > 0) throw new Error('the data make one micro-batch');
  const { arrays, ...others } = microBatchFeeds(batch, lossFn, lossConfig, config.vocabularySize);
  const feeds = batchFeeds({ arrays, ...others }, precision);
  const options = { config, rowLength: batch.rowLength, lossFn, precision, fused };
  const session = await openSession(buildTrainingGraph(options), threads);
  return async (parameters: Float64Array) => {
    const flat = precision === 'f64' ? parameters : Float32Array.from(parameters);
    const outputs = await session.run({ ...parameterFeeds(config, flat), ...feeds });
    const gradient = parameterSpecs(config).flatMap(({ name }) => [
      ...outputData(outputs, `gradient.${name}`),
    ]);
    const loss = outputData(outputs, 'loss')[0] ?? NaN;
    const logprobs = [...outputData(outputs, 'logprobs')];
    return {
      loss,
      gradient,
      logprobs,
      lossHeldAt: (held: readonly number[]) => loss + moved(logprobs, held),
    };
  };

  /** Of `cispo`: how much of the loss is due to the move of its factors from those at `held`. */
  function moved(logprobs: readonly number[], held: readonly number[]): number {
    if (lossFn !== 'cispo') return 0;
    const factor = (lp: number, target: number) =>
      Math.min(Math.max(Math.exp(lp - (arrays.oldLogprobs?.data[target] ?? NaN)), 0.8), 1.28) *
      (arrays.advantages?.data[target] ?? NaN);
    return logprobs.reduce((sum, lp, t) => sum + (factor(lp, t) - factor(held[t] ?? NaN, t)) * lp, 0);
  }
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

describe.each(CASES)('the gradient of $lossFn', ({ lossFn, lossConfig }) => {
  // Every loss reaches the parameters through log-probabilities alone, so one of them goes through every family.
  const models = lossFn === 'ppo' ? MODELS : MODELS.slice(0, 2);

  it.each(models)(
    'agrees with central differences in f64 on two threads with repeated tokens: %s',
    async (_, config) => {
      const evaluate = await lossFunction({ config, lossFn, lossConfig });
      const parameters = parametersOf(config);
      const { gradient, logprobs } = await evaluate(parameters);
      const random = createRandom(11);
      // Some elements of every parameter, and more at random.
      const indices = [
        ...parameterSpecs(config).flatMap(({ offset, size }) => [offset, offset + random.integer(size)]),
        ...Array.from({ length: 120 }, () => random.integer(parameters.length)),
      ];
      let worst = 0;
      for (const index of indices) {
        const step = 1e-5;
        const shifted = async (by: number) => {
          const copy = parameters.slice();
          copy[index] = (copy[index] ?? 0) + by;
          return (await evaluate(copy)).lossHeldAt(logprobs);
        };
        const numeric = ((await shifted(step)) - (await shifted(-step))) / (2 * step);
        const exact = gradient[index] ?? NaN;
        const error = Math.abs(numeric - exact) / Math.max(1e-2, Math.abs(numeric) + Math.abs(exact));
        worst = Math.max(worst, error);
      }
      expect(worst).toBeLessThanOrEqual(1e-6);
    },
  );

  it.each(models.flatMap(([name, config]) => [true, false].map((fused) => ({ name, config, fused }))))(
    'of $name is the same in f32 (fused operators: $fused) as in f64',
    async ({ config, fused }) => {
      const parameters = Float64Array.from(Float32Array.from(parametersOf(config)));
      const exact = await (await lossFunction({ config, lossFn, lossConfig }))(parameters);
      const rounded = await (
        await lossFunction({ config, lossFn, lossConfig, precision: 'f32', fused })
      )(parameters);
      expect(relativeDistance(exact.gradient, rounded.gradient)).toBeLessThanOrEqual(1e-5);
      expect(Math.abs(rounded.loss / exact.loss - 1)).toBeLessThanOrEqual(1e-5);
    },
  );

  it.each(models)(
    'of %s is equal to the last bit on one thread and on two, and when repeated',
    async (_, config) => {
      const parameters = parametersOf(config);
      const on = async (threads: number) => {
        const evaluate = await lossFunction({ config, lossFn, lossConfig, precision: 'f32', threads });
        const { loss, gradient } = await evaluate(parameters);
        return { loss, gradient };
      };
      const one = await on(1);
      expect(await on(2)).toEqual(one);
      expect(await on(2)).toEqual(one);
    },
  );
});
