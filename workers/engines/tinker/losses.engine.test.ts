import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdamParams, Datum, ForwardBackwardOutput, LossFn, LossFnConfig } from '@/contract/engine';
import { createRandom } from '@/rl/random';
import { randomData } from '../../testing/random-data';
import { writeTinyModel } from '../../testing/tiny-model';
import { createOnnxEngine, type OnnxEngine } from '../onnx/onnx-engine';
import { EngineServeProcess } from './testing/engine-serve';
import { createTinkerEngine, type TinkerEngine, type TinkerEngineOptions } from './tinker-engine';

/** A large epsilon keeps an update's size that of the gradient, whose differences then show. */
const ADAM: AdamParams = {
  learningRate: 0.01,
  beta1: 0.9,
  beta2: 0.95,
  eps: 1,
  weightDecay: 0,
  gradClipNorm: 0,
};
const KL: LossFnConfig = { klCoef: 0.2 };
const CLIPPED: LossFnConfig = { clipLowThreshold: 0.7, clipHighThreshold: 1.3, ...KL };
const LOSSES: { lossFn: LossFn; config: LossFnConfig }[] = [
  { lossFn: 'cross_entropy', config: {} },
  { lossFn: 'importance_sampling', config: KL },
  { lossFn: 'ppo', config: { ...CLIPPED, dualClip: 2 } },
  { lossFn: 'cispo', config: CLIPPED },
  { lossFn: 'gspo', config: CLIPPED },
];

let dir: string;
let server: EngineServeProcess;
let inProcess: OnnxEngine;
let remote: Record<'json' | 'protobuf' | 'plain' | 'plainProtobuf', TinkerEngine>;
let data: Datum[];
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tinker-losses-'));
  const model = join(dir, 'model');
  const { vocabularySize } = await writeTinyModel(model, 1);
  const shape = { prompts: 3, replies: 3, promptLength: 8, replyLength: 5, sharedLength: 2 };
  data = randomData(createRandom(3), { vocabularySize, ...shape });
  const argv = ['--model', model, '--port', '0', '--children', '1', '--checkpoints', join(dir, 'saved')];
  server = await EngineServeProcess.start([...argv, '--micro-batch-tokens', '1024']);
  const open = (options: Partial<TinkerEngineOptions>) =>
    createTinkerEngine({
      address: server.address,
      apiKey: null,
      patienceMs: 2000,
      model,
      tokenizersDir: '/',
      ...options,
    });
  // Two children here and one there: how data are shared out is no part of the loss.
  inProcess = await createOnnxEngine({ modelDir: model, children: 2, microBatchTokens: 1024 });
  remote = {
    json: await open({ codec: 'json' }),
    protobuf: await open({ codec: 'protobuf' }),
    // Our server in the role of one without entropies, KL and `gspo`.
    plain: await open({ profile: 'tinker', loraRank: 0 }),
    plainProtobuf: await open({ profile: 'tinker', loraRank: 0, codec: 'protobuf' }),
  };
});
afterAll(async () => {
  await Promise.all(Object.values(remote ?? {}).map((engine) => engine.close()));
  await inProcess?.close();
  await server?.end();
  rmSync(dir, { recursive: true, force: true });
});

function expectNear(actual: number, expected: number): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-5 * Math.max(1, Math.abs(expected)));
}

/** Loss and log-probabilities, and entropies where both have them; what was not computed in process may be there. */
function expectSame(actual: ForwardBackwardOutput, expected: ForwardBackwardOutput): void {
  expectNear(actual.lossSum, expected.lossSum);
  let compared = 0;
  for (const name of ['logprobs', 'entropies'] as const)
    expected[name]?.forEach((row, index) =>
      row.forEach((value, t) => {
        const other = actual[name]?.[index]?.[t];
        if (Number.isNaN(value) || other === undefined) return;
        expectNear(other, value);
        compared++;
      }),
    );
  expect(compared).toBeGreaterThanOrEqual(data.length * 5);
}

/** The engines stay in step from one loss to the next, so that a wrong update shows in the loss that follows too. */
describe.each(LOSSES)('$lossFn', ({ lossFn, config }) => {
  it('has one output and one gradient in process, as JSON, as protobuf, and in two passes', async () => {
    const pass = async ({ training }: OnnxEngine | TinkerEngine) => {
      const forward = await training.forward(data, lossFn, config);
      const backward = await training.forwardBackward(data, lossFn, config);
      return { forward, backward, ...(await training.optimStep(ADAM)) };
    };
    const expected = await pass(inProcess);
    expect(expected.gradNorm).toBeGreaterThan(0.1);
    expectSame(expected.forward, expected.backward);
    for (const engine of Object.values(remote)) {
      const actual = await pass(engine);
      expectSame(actual.forward, expected.forward);
      expectSame(actual.backward, expected.backward);
      expectNear(actual.gradNorm / expected.gradNorm, 1);
    }
    expect(expected.backward.trainedTokens).toBe(expected.forward.trainedTokens);
  });

  it('is refused by its setting where that is none of its own', async () => {
    const wrong = { clipHigh: 2 } as LossFnConfig;
    for (const { training } of [inProcess, ...Object.values(remote)])
      await expect(training.forward(data, lossFn, wrong)).rejects.toThrow(
        `clipHigh is no setting of ${lossFn}, which takes`,
      );
  });
});

describe('a server without entropies', () => {
  it('is not asked for an entropy bonus', async () => {
    for (const pass of ['forward', 'forwardBackward'] as const)
      await expect(remote.plain.training[pass](data, 'gspo', { entropyCoef: 0.1 })).rejects.toThrow(
        'a tinker server computes no entropy, so it has no entropy bonus: entropyCoef is 0.1, expected 0',
      );
  });
});

it('a loss of one’s own takes two passes: here the square of each log-probability, which training lowers', async () => {
  const losses: number[] = [];
  for (let step = 0; step < 3; step++) {
    const { logprobs } = await inProcess.training.forward(data, 'cross_entropy');
    losses.push(
      logprobs.flatMap((row) => [...row].filter((lp) => lp <= 0)).reduce((sum, lp) => sum + lp ** 2, 0),
    );
    const slopes = data.map(({ modelInput, lossFnInputs }, index): Datum => ({
      modelInput,
      lossFnInputs: {
        targetTokens: lossFnInputs.targetTokens,
        weights: [...(logprobs[index] ?? [])].map((lp) => (lp <= 0 ? -2 * lp : 0)),
      },
    }));
    await inProcess.training.forwardBackward(slopes, 'cross_entropy');
    await inProcess.training.optimStep({ ...ADAM, eps: 1e-8 });
  }
  expect(losses[1]).toBeLessThan(losses[0] ?? NaN);
  expect(losses[2]).toBeLessThan(losses[1] ?? NaN);
});
