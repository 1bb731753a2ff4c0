import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdamParams, Datum } from '@/contract/engine';
import type { SeededLora } from '@/contract/lora';
import { createRandom } from '@/rl/random';
import { randomData } from '../../../testing/random-data';
import { writeTinyModel } from '../../../testing/tiny-model';
import { loadCheckpoint } from '../checkpoint/folder';
import { createOnnxEngine, type OnnxEngine } from '../onnx-engine';
import { Trainer } from '../training/trainer';
import { initializeAdapters } from './initialize';
import { adapterLayout } from './layout';
import { mergeAdapters } from './merge';
import { projectGradient } from './project-gradient';
import { untieHead } from './untie-head';

const LORA: SeededLora = { rank: 4, alpha: 8, targets: ['attention', 'mlp', 'unembed'], seed: 1 };
const ADAM: AdamParams = {
  learningRate: 0.01,
  beta1: 0.9,
  beta2: 0.95,
  eps: 1e-8,
  weightDecay: 0.01,
  gradClipNorm: 1,
};
const TOKENS = [65, 66, 67, 68, 69];

let dir: string;
let model: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'adapters-engine-'));
  model = join(dir, 'model');
  await writeTinyModel(model, 1);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function withEngine<Result>(
  lora: SeededLora | null,
  use: (engine: OnnxEngine) => Promise<Result>,
  modelDir = model,
): Promise<Result> {
  const engine = await createOnnxEngine({ modelDir, children: 1, microBatchTokens: 512, lora });
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}

/** Weights sum to 1, so that losses are of the size of a log-probability. */
function data(seed: number): Datum[] {
  const drawn = randomData(createRandom(seed), {
    vocabularySize: 200,
    prompts: 3,
    replies: 4,
    promptLength: 8,
    replyLength: 6,
  });
  const total = drawn.reduce(
    (sum, { lossFnInputs }) => sum + (lossFnInputs.weights ?? []).reduce((part, weight) => part + weight, 0),
    0,
  );
  return drawn.map(({ modelInput, lossFnInputs: { targetTokens, weights } }) => ({
    modelInput,
    lossFnInputs: { targetTokens, weights: weights?.map((weight) => weight / total) },
  }));
}

async function trainSteps(engine: OnnxEngine, first: number, last: number): Promise<number[]> {
  const losses: number[] = [];
  for (let step = first; step <= last; step++) {
    losses.push((await engine.training.forwardBackward(data(step % 2), 'cross_entropy')).lossSum);
    await engine.training.optimStep(ADAM);
  }
  return losses;
}

const scored = async (engine: OnnxEngine): Promise<number[]> =>
  (await engine.training.saveWeightsForSampler()).computeLogprobs(TOKENS);

describe('an engine with adapters', () => {
  it('begins as its base, also at full rank and with a head of its own', async () => {
    const plain = await withEngine(null, scored);
    const full = await withEngine({ ...LORA, rank: 64 }, async (engine) => {
      expect(await scored(engine)).toEqual(await engine.base.computeLogprobs(TOKENS));
      return scored(engine);
    });
    full.slice(1).forEach((logprob, index) => expect(logprob).toBeCloseTo(plain[index + 1] ?? NaN, 5));
  });

  it('learns, samples what it has learnt, and leaves the base as it was', async () => {
    await withEngine(LORA, async (engine) => {
      const before = await engine.base.computeLogprobs(TOKENS);
      const losses = await trainSteps(engine, 1, 12);
      expect(losses.at(-1)).toBeLessThan((losses[1] ?? NaN) * 0.8);
      expect(await engine.base.computeLogprobs(TOKENS)).toEqual(before);
      const [datum] = data(1);
      const sequence = [...(datum?.modelInput ?? []), ...(datum?.lossFnInputs.targetTokens.slice(-1) ?? [])];
      const policy = await engine.training.saveWeightsForSampler();
      const sampled = (await policy.computeLogprobs(sequence)).slice(1);
      const { logprobs } = await engine.training.forwardBackward(data(1), 'cross_entropy');
      let compared = 0;
      logprobs[0]?.forEach((logprob, position) => {
        if (Number.isNaN(logprob)) return;
        compared++;
        expect(Math.abs(logprob - (sampled[position] ?? NaN))).toBeLessThan(1e-5);
      });
      expect(compared).toBe(6);
      // A and B of 7 matrices in each of 2 layers, and of the head over 265 tokens.
      const layer = 64 + 64 + 2 * (64 + 32) + 64 + 64 + 3 * (64 + 96);
      expect(engine.parameters).toBe(4 * (2 * layer + 64 + 265));
    });
  });

  it('resumes so that three steps, saving, loading and three more equal six, to the last bit', async () => {
    const [six, resumed, three] = ['six', 'resumed', 'three'].map((name) => join(dir, name));
    await withEngine(LORA, async (engine) => {
      await trainSteps(engine, 1, 3);
      await engine.training.saveState(three ?? '');
      await trainSteps(engine, 4, 6);
      await engine.training.saveState(six ?? '');
    });
    await withEngine({ ...LORA, seed: 2 }, async (engine) => {
      await engine.training.loadState(three ?? '');
      await trainSteps(engine, 4, 6);
      await engine.training.saveState(resumed ?? '');
    });
    for (const file of ['model', 'adapter/adapter_model', 'adapter/optimizer']) {
      const bytes = readFileSync(join(six ?? '', `${file}.safetensors`));
      expect(bytes.equals(readFileSync(join(resumed ?? '', `${file}.safetensors`))), file).toBe(true);
      expect(bytes.equals(readFileSync(join(three ?? '', `${file}.safetensors`))), file).toBe(false);
    }
  });

  it('saves a folder that is a model of its own, whose log-probabilities are its own', async () => {
    const saved = join(dir, 'merged');
    const trained = await withEngine(LORA, async (engine) => {
      await trainSteps(engine, 1, 2);
      await engine.training.saveState(saved);
      return scored(engine);
    });
    expect(await withEngine(null, scored, saved)).toEqual(trained);
  });

  it('refuses a checkpoint of another rank by name, and goes on as it was', async () => {
    const saved = join(dir, 'rank-4');
    await withEngine(LORA, (engine) => engine.training.saveState(saved));
    await withEngine({ ...LORA, rank: 2, alpha: 4 }, async (engine) => {
      const before = await scored(engine);
      await expect(engine.training.loadState(saved)).rejects.toThrow('r is 4, this engine trains 2');
      expect(await scored(engine)).toEqual(before);
    });
  });
});

it('the gradient of adapters is the slope of the loss along any direction', async () => {
  const { config, parametersP } = untieHead(await loadCheckpoint(model));
  const layout = adapterLayout(config, LORA);
  const random = createRandom(4);
  // B is not zero, so that A has a gradient too.
  const adaptersQ = initializeAdapters(layout, random).map((value) => value + 0.1 * (random.next() - 0.5));
  const mergedP = parametersP.slice();
  const trainer = new Trainer({ config, parameters: mergedP });
  const lossAt = async (pointQ: Float32Array) => {
    mergeAdapters(layout, parametersP, pointQ, mergedP);
    trainer.gradient.fill(0);
    return (await trainer.accumulate(data(1), 'cross_entropy')).lossSum;
  };
  await lossAt(adaptersQ);
  const gradientQ = projectGradient(layout, trainer.gradient, adaptersQ);
  const norm = Math.hypot(...gradientQ);
  const steepest = gradientQ.map((slope) => slope / norm);
  const isA = (index: number) =>
    layout.matrices.some(({ leftOffset, rightOffset, inputFactor }) =>
      inputFactor === 'left' ? index >= leftOffset && index < rightOffset : false,
    );
  // The whole gradient, and the parts of it that are A's and the rest.
  const directions = [
    steepest,
    steepest.map((slope, index) => (isA(index) ? slope : 0)),
    steepest.map((slope, index) => (isA(index) ? 0 : slope)),
  ];
  for (const direction of directions) {
    const along = (by: number) =>
      lossAt(adaptersQ.map((value, index) => value + by * (direction[index] ?? 0)));
    const step = 1e-2;
    const numeric = ((await along(step)) - (await along(-step))) / (2 * step);
    const exact = direction.reduce((sum, part, index) => sum + part * (gradientQ[index] ?? 0), 0);
    expect(Math.abs(exact)).toBeGreaterThan(0.05);
    expect(Math.abs(numeric / exact - 1)).toBeLessThan(2e-3);
  }
  await trainer.release();
});
