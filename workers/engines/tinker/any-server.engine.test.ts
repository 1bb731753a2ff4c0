/**
 * What every server of the protocol must do for a run. Against our own server by default; against another one with
 * `ENGINE_URL=http://host:port ENGINE_MODEL=name npm run test:engine`, and the variables of docs/engines.md.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdamParams, Datum } from '@/contract/engine';
import type { SeededLora } from '@/contract/lora';
import { tinkerServer, type TinkerServerSettings } from '../../env';
import { writeTinyModel } from '../../testing/tiny-model';
import { writeCheckpointReference } from './checkpoint-reference';
import { EngineServeProcess } from './testing/engine-serve';
import { createTinkerEngine, type TinkerEngine } from './tinker-engine';

const { ENGINE_URL, ENGINE_MODEL } = process.env;
const ADAM: AdamParams = {
  learningRate: 0.01,
  beta1: 0.9,
  beta2: 0.95,
  eps: 1e-8,
  weightDecay: 0,
  gradClipNorm: 1,
};
/** Servers sample and train in bfloat16, with kernels of their own. */
const LOGPROB_TOLERANCE = ENGINE_URL ? 0.2 : 1e-4;

let dir: string;
let ours: EngineServeProcess | null = null;
let server: TinkerServerSettings;
let model: string;
let engine: TinkerEngine;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tinker-server-'));
  model = ENGINE_MODEL ?? join(dir, 'model');
  if (!ENGINE_URL) {
    await writeTinyModel(model, 1);
    ours = await EngineServeProcess.start([
      '--model',
      model,
      '--port',
      '0',
      '--checkpoints',
      join(dir, 'saved'),
    ]);
  }
  const named = tinkerServer({ ...process.env, STEPSCOPE_TINKER_URL: ENGINE_URL ?? ours?.address });
  if (!named) throw new Error('no server is named');
  server = named;
  engine = await open();
});
afterAll(async () => {
  await engine?.close();
  await ours?.end();
  rmSync(dir, { recursive: true, force: true });
});

const open = (): Promise<TinkerEngine> => createTinkerEngine({ ...server, model });

function conversation(): { prompt: number[]; data: Datum[] } {
  const prompt = engine.tokenizer.encodeChat([{ role: 'user', content: 'go to the red ball' }]);
  const reply = [...engine.tokenizer.encode('turn left'), ...engine.stopTokens.slice(0, 1)];
  const sequence = [...prompt, ...reply];
  const weights = [...new Array<number>(prompt.length - 1).fill(0), ...reply.map(() => 1 / reply.length)];
  return {
    prompt,
    data: [{ modelInput: sequence.slice(0, -1), lossFnInputs: { targetTokens: sequence.slice(1), weights } }],
  };
}

describe('a sampling client', () => {
  it('gives each sample a log-probability a token and ends it at a stop token or the limit', async () => {
    const sampler = await engine.training.saveWeightsForSampler();
    const { prompt } = conversation();
    const params = { maxTokens: 6, temperature: 1, stopTokens: engine.stopTokens };
    const replies = await sampler.sample(prompt, 4, params, 3);
    expect(replies).toHaveLength(4);
    for (const { tokens, logprobs, stopReason } of replies) {
      expect(logprobs).toHaveLength(tokens.length);
      expect(logprobs.every((value) => value <= 0)).toBe(true);
      const hasStopped = engine.stopTokens.includes(tokens.at(-1) ?? -1);
      expect(stopReason).toBe(hasStopped ? 'stop' : 'length');
      expect(hasStopped || tokens.length === 6).toBe(true);
    }
    expect(sampler.counts()).toMatchObject({ prompt: 4 * prompt.length });
  });

  it('counts each prompt token as prefilled or reused, or says that it does not know', async () => {
    const sampler = await engine.training.saveWeightsForSampler();
    const { prompt } = conversation();
    const params = { maxTokens: 2, temperature: 1, stopTokens: engine.stopTokens };
    const replies = await sampler.sampleBatch(
      [1, 2, 3].map((seed) => ({ prompt, seed, params })),
      0,
    );
    const { prefilled, reused, sampled } = sampler.counts();
    expect(sampled).toBe(replies.reduce((sum, { tokens }) => sum + tokens.length, 0));
    const said = replies.flatMap(({ prefilledTokens }) => prefilledTokens ?? []);
    const isSaid = said.length === replies.length;
    expect(prefilled).toBe(isSaid ? said.reduce((sum, count) => sum + count) : 3 * prompt.length);
    expect(reused).toBe(isSaid ? 3 * prompt.length - prefilled : NaN);
    await sampler.computeLogprobs(prompt);
    expect(sampler.counts().prefilled).toBe(prefilled + prompt.length);
  });

  it('stops at an id that is a stop token and not before', async () => {
    const sampler = await engine.training.saveWeightsForSampler();
    const { prompt } = conversation();
    const greedy = { maxTokens: 4, temperature: 0, stopTokens: [] };
    const [free] = await sampler.sampleBatch([{ prompt, seed: 1, params: greedy }], 0);
    const second = free?.tokens[1] ?? -1;
    const stopTokens = [second];
    const [stopped] = await sampler.sampleBatch([{ prompt, seed: 1, params: { ...greedy, stopTokens } }], 0);
    const expected = free?.tokens.slice(0, (free?.tokens.indexOf(second) ?? 0) + 1);
    expect(stopped).toMatchObject({ tokens: expected, stopReason: 'stop' });
  });

  it('gives equal seeds equal replies', async () => {
    const sampler = await engine.training.saveWeightsForSampler();
    const { prompt } = conversation();
    const params = { maxTokens: 5, temperature: 1, stopTokens: engine.stopTokens };
    const requests = [1, 2, 3].map((seed) => ({ prompt, seed, params }));
    const tokens = async () => (await sampler.sampleBatch(requests, 0)).map((reply) => reply.tokens);
    expect(await tokens()).toEqual(await tokens());
  });

  it('scores what it sampled as it did when it sampled it, and as the trainer does', async () => {
    const sampler = await engine.training.saveWeightsForSampler();
    const { prompt } = conversation();
    const params = { maxTokens: 6, temperature: 1, stopTokens: [] };
    const [reply] = await sampler.sample(prompt, 1, params, 11);
    const tokens = reply?.tokens ?? [];
    const sequence = [...prompt, ...tokens];
    const scored = await sampler.computeLogprobs(sequence);
    expect(scored).toHaveLength(sequence.length);
    expect(scored[0]).toBeNaN();
    const zeros = new Array<number>(prompt.length - 1).fill(0);
    const { logprobs } = await engine.training.forwardBackward(
      [
        {
          modelInput: sequence.slice(0, -1),
          lossFnInputs: { targetTokens: sequence.slice(1), weights: [...zeros, ...tokens.map(() => 1)] },
        },
      ],
      'cross_entropy',
    );
    await engine.training.optimStep({ ...ADAM, learningRate: 0 });
    expect(tokens.length).toBeGreaterThan(0);
    tokens.forEach((_, i) => {
      const sampled = reply?.logprobs[i] ?? NaN;
      expect(Math.abs((scored[prompt.length + i] ?? NaN) - sampled)).toBeLessThan(LOGPROB_TOLERANCE);
      expect(Math.abs((logprobs[0]?.[prompt.length - 1 + i] ?? NaN) - sampled)).toBeLessThan(
        LOGPROB_TOLERANCE,
      );
    });
  });
});

describe('training', () => {
  it('lowers the loss of what it learns, and a policy from before stays as it was', async () => {
    const { data, prompt } = conversation();
    const sequence = [
      ...(data[0]?.modelInput ?? []),
      ...(data[0]?.lossFnInputs.targetTokens.slice(-1) ?? []),
    ];
    const before = await engine.training.saveWeightsForSampler();
    const scored = await before.computeLogprobs(sequence);
    const losses: number[] = [];
    for (let step = 0; step < 5; step++) {
      // The update is submitted before the gradient's answer is read.
      const [output, { gradNorm }] = await Promise.all([
        engine.training.forwardBackward(data, 'cross_entropy'),
        engine.training.optimStep(ADAM),
      ]);
      losses.push(output.lossSum);
      expect(gradNorm).toBeGreaterThan(0);
    }
    expect(losses.at(-1)).toBeLessThan((losses[0] ?? 0) * 0.9);
    const after = await (await engine.training.saveWeightsForSampler()).computeLogprobs(sequence);
    const sum = (values: number[]) => values.slice(prompt.length).reduce((total, value) => total + value, 0);
    expect(sum(after)).toBeGreaterThan(sum(scored) + 0.1);
    if (server.profile !== 'skyrl-train')
      expect(sum(await before.computeLogprobs(sequence))).toBeCloseTo(sum(scored), 3);
  });

  it('tells the loss without a gradient, as it does with one', async () => {
    const { data } = conversation();
    const forward = await engine.training.forward(data, 'cross_entropy');
    const backward = await engine.training.forwardBackward(data, 'cross_entropy');
    await engine.training.optimStep({ ...ADAM, learningRate: 0 });
    expect(Math.abs(forward.lossSum - backward.lossSum)).toBeLessThan(LOGPROB_TOLERANCE);
    data[0]?.lossFnInputs.weights?.forEach((weight, t) => {
      if (weight === 0) return;
      const difference = (forward.logprobs[0]?.[t] ?? NaN) - (backward.logprobs[0]?.[t] ?? NaN);
      expect(Math.abs(difference)).toBeLessThan(LOGPROB_TOLERANCE);
    });
  });

  it.each(['importance_sampling', 'ppo', 'cispo', 'gspo'] as const)(
    'by %s makes what had an advantage likelier, whether the server has that loss or not',
    async (lossFn) => {
      const { data } = conversation();
      const { logprobs: before, lossSum } = await engine.training.forward(data, 'cross_entropy');
      const rewarded = data.map(({ modelInput, lossFnInputs }, index): Datum => ({
        modelInput,
        lossFnInputs: {
          targetTokens: lossFnInputs.targetTokens,
          weights: lossFnInputs.weights,
          advantages: lossFnInputs.weights,
          logprobs: [...(before[index] ?? [])],
        },
      }));
      // The policy is the sampling one: every ratio is 1, and the loss is minus the sum of the advantages; CISPO's is times lp.
      const output = await engine.training.forwardBackward(rewarded, lossFn);
      expect(Math.abs(output.lossSum - (lossFn === 'cispo' ? lossSum : -1))).toBeLessThan(LOGPROB_TOLERANCE);
      await engine.training.optimStep({ ...ADAM, learningRate: 1e-3 });
      expect((await engine.training.forward(data, 'cross_entropy')).lossSum).toBeLessThan(lossSum);
    },
  );

  it('goes on from a saved state as if it had not been left', async () => {
    const { data } = conversation();
    const checkpoint = join(dir, 'step-000001');
    const step = async ({ training }: TinkerEngine) => {
      const { lossSum } = await training.forwardBackward(data, 'cross_entropy');
      return { lossSum, ...(await training.optimStep(ADAM)) };
    };
    await engine.training.saveState(checkpoint);
    const first = [await step(engine), await step(engine)];
    const other = await open();
    try {
      await other.training.loadState(checkpoint);
      const again = [await step(other), await step(other)];
      again.forEach(({ lossSum, updates }, i) => {
        expect(lossSum).toBeCloseTo(first[i]?.lossSum ?? NaN, 4);
        expect(updates).toBe(first[i]?.updates);
      });
    } finally {
      await other.close();
    }
  });
});

describe('adapters', () => {
  it('are trained where a run asks for them, and the base stays as it was', async () => {
    const rank = server.loraRank || engine.profile.loraRank || 8;
    const lora: SeededLora = { rank, alpha: 32, targets: ['attention', 'mlp'], seed: 1 };
    const adapted = await createTinkerEngine({ ...server, model, lora });
    try {
      const { data } = conversation();
      const { modelInput = [] } = data[0] ?? {};
      const before = await adapted.base.computeLogprobs(modelInput);
      const losses: number[] = [];
      for (let step = 0; step < 5; step++) {
        losses.push((await adapted.training.forwardBackward(data, 'cross_entropy')).lossSum);
        await adapted.training.optimStep(ADAM);
      }
      expect(losses.at(-1)).toBeLessThan((losses[0] ?? 0) * 0.9);
      const after = await adapted.base.computeLogprobs(modelInput);
      after.slice(1).forEach((value, index) => expect(value).toBeCloseTo(before[index + 1] ?? NaN, 3));
    } finally {
      await adapted.close();
    }
  });
});

describe('what cannot be done', () => {
  it('is refused with the server and the reason, and the engine goes on', async () => {
    const params = { maxTokens: 3, temperature: 1, stopTokens: [] };
    await expect(engine.base.sampleBatch([{ prompt: [2 ** 30], seed: 1, params }], 0)).rejects.toThrow(
      server.address,
    );
    const { data } = conversation();
    const negative = [{ ...data[0], modelInput: [2 ** 30] }] as Datum[];
    await expect(engine.training.forwardBackward(negative, 'cross_entropy')).rejects.toThrow();
    expect(await engine.base.sampleBatch([{ prompt: [1, 2], seed: 1, params }], 0)).toHaveLength(1);
  });

  it('names the checkpoint that is not there, and the server that it was saved on', async () => {
    const checkpoint = join(dir, 'elsewhere');
    const path = 'tinker://model_0/weights/step-1';
    await writeCheckpointReference(checkpoint, {
      format: 'tinker-checkpoint',
      server: 'http://elsewhere',
      baseModel: model,
      path,
      loraRank: server.loraRank ?? engine.profile.loraRank,
      updates: 1,
    });
    const other = await open();
    await expect(other.training.loadState(checkpoint)).rejects.toThrow(
      `${path} was saved on http://elsewhere`,
    );
    await other.close();
  });

  it('names the models there are where the one that is asked for is not', async () => {
    const other = join(dir, 'other');
    await writeTinyModel(other, 2);
    await expect(createTinkerEngine({ ...server, model: other })).rejects.toThrow(
      `${server.address} has no model "${other}", it has: `,
    );
  });

  it('says which text files are missing and where they belong', async () => {
    const absent = createTinkerEngine({ ...server, model: join(dir, 'absent') });
    await expect(absent).rejects.toThrow(
      `${join(dir, 'absent', 'tokenizer.json')}: not found. The server of`,
    );
    await expect(absent).rejects.toThrow('STEPSCOPE_TOKENIZERS');
  });
});
