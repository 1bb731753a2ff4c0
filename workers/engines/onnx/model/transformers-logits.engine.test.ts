import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '@/rl/random';
import { writeTinyModel } from '../../../testing/tiny-model';
import {
  logSoftmax,
  readTransformersModel,
  referenceLogits,
  type TransformersModel,
} from '../../../testing/transformers-reference';
import { loadCheckpoint } from '../checkpoint/folder';
import { Tape, type Precision } from '../graph/tape';
import { createOnnxEngine, type OnnxEngine } from '../onnx-engine';
import { parameterFeeds } from '../session';
import { declareParameters, forward, POSITIONS, ROWS, TOKENS } from './forward';
import type { ModelConfig } from './parameters';

const SHAPES: [name: string, shape: Partial<ModelConfig>][] = [
  ['Qwen2, tied, two query heads to a key head', { family: 'qwen2' }],
  [
    'Qwen2, untied, one key head, heads wider than the hidden size',
    { family: 'qwen2', tiedEmbeddings: false, hiddenSize: 40, heads: 3, keyValueHeads: 1, headSize: 16 },
  ],
  [
    'Qwen3, tied, a key head to each query head, heads narrower than the hidden size',
    { family: 'qwen3', heads: 2, keyValueHeads: 2, headSize: 16, ropeTheta: 1_000_000 },
  ],
  [
    'Qwen3, untied, with biases, one key head, heads wider than the hidden size',
    {
      family: 'qwen3',
      tiedEmbeddings: false,
      attentionBias: true,
      hiddenSize: 24,
      heads: 4,
      keyValueHeads: 1,
      headSize: 32,
      rmsNormEps: 1e-3,
    },
  ],
];

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'transformers-logits-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe.each(SHAPES)('%s', (_, shape) => {
  let dir: string;
  let model: TransformersModel;
  let engine: OnnxEngine;
  let tokens: number[];
  beforeAll(async () => {
    dir = mkdtempSync(join(root, 'model-'));
    const { vocabularySize } = await writeTinyModel(dir, 5, shape);
    model = readTransformersModel(dir);
    engine = await createOnnxEngine({ modelDir: dir, children: 1, microBatchTokens: 512 });
    const random = createRandom(8);
    tokens = Array.from({ length: 14 }, () => random.integer(vocabularySize));
  });
  afterAll(() => engine?.close());

  it.each<[Precision, boolean, number]>([
    ['f64', false, 1e-9],
    ['f32', false, 2e-4],
    ['f32', true, 2e-4],
  ])(
    'has the logits of the modelling code in the training graph, %s, fused operators: %s',
    async (precision, fused, tolerance) => {
      const logits = await trainingLogits(dir, tokens, precision, fused);
      const expected = referenceLogits(model, tokens).flat();
      expect(logits).toHaveLength(expected.length);
      expect(largestDifference(logits, expected)).toBeLessThan(tolerance);
      // The weights are large enough that a wrong head, norm or position would move logits by more than that.
      expect(Math.max(...expected) - Math.min(...expected)).toBeGreaterThan(2);
    },
  );

  it('gives its own replies the log-probabilities of the modelling code, in prefill and in every step', async () => {
    const requests = [3, 9, 6].map((length, index) => ({
      prompt: tokens.slice(0, length),
      seed: 40 + index,
      params: { maxTokens: 12, temperature: 1, stopTokens: [] },
    }));
    const replies = await engine.base.sampleBatch(requests, 0);
    requests.forEach(({ prompt }, index) => {
      const { tokens: reply = [], logprobs = [] } = replies[index] ?? {};
      expect(reply).toHaveLength(12);
      const expected = referenceLogprobs(model, [...prompt, ...reply]).slice(prompt.length);
      expect(largestDifference(logprobs, expected)).toBeLessThan(1e-4);
    });
  });

  it('scores given tokens, and trains on them, by the same log-probabilities', async () => {
    const expected = referenceLogprobs(model, tokens).slice(1);
    const scored = await engine.base.computeLogprobs(tokens);
    expect(largestDifference(scored.slice(1), expected)).toBeLessThan(1e-4);
    const datum = {
      modelInput: tokens.slice(0, -1),
      lossFnInputs: { targetTokens: tokens.slice(1), weights: tokens.slice(1).map(() => 1) },
    };
    const { logprobs } = await engine.training.forwardBackward([datum], 'cross_entropy');
    expect(largestDifference(logprobs[0] ?? [], expected)).toBeLessThan(1e-4);
  });
});

/** Log-probability of each token given those before it; the first is NaN. */
function referenceLogprobs(model: TransformersModel, tokens: readonly number[]): number[] {
  const distributions = referenceLogits(model, tokens).map(logSoftmax);
  return tokens.map((token, t) => distributions[t - 1]?.[token] ?? NaN);
}

/** Logits [N V] of one row of tokens by the graph that is differentiated. */
async function trainingLogits(
  dir: string,
  tokens: readonly number[],
  precision: Precision,
  fused: boolean,
): Promise<number[]> {
  const { config, parametersP } = await loadCheckpoint(dir);
  const length = tokens.length;
  const tape = new Tape(precision, fused);
  const logits = forward(tape, config, declareParameters(tape, config), {
    tokens: tape.input('tokens', 'i32', [TOKENS]),
    positions: tape.input('positions', 'i32', [ROWS, length]),
    mask: tape.input('mask', precision, [ROWS, 1, length, length]),
    predicted: tape.input('predicted', 'i32', [POSITIONS]),
  });
  tape.output(logits, 'logits');
  // Beyond `basic`, onnxruntime fuses a f64 activation that no gradient shares into an operator it has for f32 alone.
  const session = await InferenceSession.create(tape.encode(), {
    graphOptimizationLevel: precision === 'f64' ? 'basic' : 'all',
    logSeverityLevel: 3,
  });
  const positions = Int32Array.from(tokens.keys());
  const mask = Array.from({ length: length * length }, (_, i) =>
    i % length > Math.floor(i / length) ? -1e9 : 0,
  );
  const isDouble = precision === 'f64';
  const outputs = await session.run({
    ...parameterFeeds(config, isDouble ? Float64Array.from(parametersP) : parametersP),
    tokens: new Tensor('int32', Int32Array.from(tokens), [length]),
    positions: new Tensor('int32', positions, [1, length]),
    mask: isDouble
      ? new Tensor('float64', Float64Array.from(mask), [1, 1, length, length])
      : new Tensor('float32', Float32Array.from(mask), [1, 1, length, length]),
    predicted: new Tensor('int32', positions, [length]),
  });
  const data = outputs['logits']?.data;
  if (!(data instanceof Float32Array || data instanceof Float64Array)) throw new Error('logits are real');
  return [...data];
}

/** NaN where the lists differ in length. */
function largestDifference(actual: ArrayLike<number>, expected: readonly number[]): number {
  if (actual.length !== expected.length) return NaN;
  return expected.reduce((most, value, i) => Math.max(most, Math.abs((actual[i] ?? NaN) - value)), 0);
}
