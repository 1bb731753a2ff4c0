import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdamParams, Datum, Engine } from '@/contract/engine';
import type { SeededLora } from '@/contract/lora';
import { readTar } from '../../alfworld/tar';
import { writeTinyModel } from '../../testing/tiny-model';
import { createOnnxEngine } from '../onnx/onnx-engine';
import { Secret } from '../tinker/secret';
import { EngineServeProcess } from '../tinker/testing/engine-serve';
import { createTinkerEngine, type TinkerEngine } from '../tinker/tinker-engine';
import { WireClient } from './testing/wire-client';

const KEY = 'a-key-of-the-tests';
const DATUM: Datum = {
  modelInput: [1, 2, 3],
  lossFnInputs: { targetTokens: [2, 3, 4], weights: [0, 1, 1] },
};
const ADAM: AdamParams = {
  learningRate: 0.01,
  beta1: 0.9,
  beta2: 0.95,
  eps: 1e-8,
  weightDecay: 0,
  gradClipNorm: 0,
};
const LORA: SeededLora = { rank: 4, alpha: 8, targets: ['attention', 'mlp'], seed: 3 };
/** Of the tiny model's two layers, hidden size 64, two of four heads for keys and values, intermediate size 96. */
const PARAMETERS_AT_RANK_4 = 4 * 2 * (4 * 64 + 2 * (64 + 32) + 3 * (64 + 96));

let dir: string;
let model: string;
let server: EngineServeProcess;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'serve-adapters-'));
  model = join(dir, 'model');
  await writeTinyModel(model, 1);
  const argv = ['--model', model, '--port', '0', '--checkpoints', join(dir, 'saved')];
  server = await EngineServeProcess.start([...argv, '--key-env', 'ENGINE_KEY', '--max-lora-rank', '16'], {
    ...process.env,
    ENGINE_KEY: KEY,
  });
});
afterAll(async () => {
  await server?.end();
  rmSync(dir, { recursive: true, force: true });
});

const client = new WireClient(() => server.address, KEY);

function openEngine(lora: SeededLora | null): Promise<TinkerEngine> {
  const { address } = server;
  return createTinkerEngine({
    address,
    apiKey: new Secret(KEY),
    patienceMs: 2000,
    model,
    tokenizersDir: '/',
    lora,
  });
}

/** Log-probabilities of four tokens under the current weights; the first is undefined. */
async function score(engine: Engine): Promise<number[]> {
  const policy = await engine.training.saveWeightsForSampler();
  return (await policy.computeLogprobs([1, 2, 3, 4])).slice(1);
}

async function update(engine: Engine): Promise<number[]> {
  const { lossSum } = await engine.training.forwardBackward([DATUM], 'cross_entropy');
  const { gradNorm } = await engine.training.optimStep(ADAM);
  return [lossSum, gradNorm];
}

function expectClose(actual: readonly number[], expected: readonly number[]): void {
  expect(actual).toHaveLength(expected.length);
  expected.forEach((value, index) => expect(actual[index]).toBeCloseTo(value, 5));
}

it('models with adapters of several ranks, and one without, are trained side by side', async () => {
  const asked = [LORA, { ...LORA, rank: 2, targets: ['unembed' as const] }, null];
  const engines = await Promise.all(asked.map(openEngine));
  const [adapted, ofHead, full] = engines;
  if (!adapted || !ofHead || !full) throw new Error('three engines');
  const before = await score(full);
  await update(adapted);
  expect(await score(adapted)).not.toEqual(before);
  expect(await score(full)).toEqual(before);
  expectClose(await score(ofHead), before);
  expect([adapted.parameters, ofHead.parameters]).toEqual([PARAMETERS_AT_RANK_4, 2 * (64 + 265)]);
  await Promise.all(engines.map((engine) => engine.close()));
});

it('a model with adapters has the figures of the same one in process', async () => {
  const served = await openEngine(LORA);
  const local = await createOnnxEngine({ modelDir: model, children: 1, microBatchTokens: 2048, lora: LORA });
  for (let step = 0; step < 3; step++) expectClose(await update(served), await update(local));
  expectClose(await score(served), await score(local));
  await Promise.all([served.close(), local.close()]);
});

describe('on the wire', () => {
  const SAME = { rank: 4, alpha: 8, seed: 3, train_unembed: false };
  const WEIGHTED = {
    model_input: { chunks: [{ tokens: DATUM.modelInput }] },
    loss_fn_inputs: {
      target_tokens: { data: DATUM.lossFnInputs.targetTokens },
      weights: { data: DATUM.lossFnInputs.weights },
    },
  };

  /** One update as operations `seqId` and the next; gives its metrics. */
  async function step(modelId: unknown, seqId: number): Promise<unknown> {
    await client.post('forward_backward', {
      model_id: modelId,
      seq_id: seqId,
      forward_backward_input: { data: [WEIGHTED], loss_fn: 'cross_entropy' },
    });
    const asked = await client.post('optim_step', {
      model_id: modelId,
      seq_id: seqId + 1,
      adam_params: { learning_rate: 0.01 },
    });
    return (await client.result(asked.body.request_id)).body.metrics;
  }

  async function saved(modelId: unknown, seqId: number): Promise<string> {
    const asked = await client.post('save_weights', { model_id: modelId, seq_id: seqId, path: 'adapters' });
    return String((await client.result(asked.body.request_id)).body.path);
  }

  async function loaded(path: string, loraConfig: object, optimizer: boolean) {
    const { model_id: modelId } = await client.newModel(model, loraConfig);
    const asked = await client.post('load_weights', { model_id: modelId, seq_id: 1, path, optimizer });
    return { modelId, answer: await client.result(asked.body.request_id) };
  }

  it('adapters go on from a checkpoint with and without their optimizer, and no other rank does', async () => {
    const { model_id: modelId } = await client.newModel(model, SAME);
    await step(modelId, 1);
    const path = await saved(modelId, 3);
    const next = await step(modelId, 4);
    expect(next).toMatchObject({ 'stepscope/updates': 2 });
    const resumed = await loaded(path, { ...SAME, seed: 4 }, true);
    expect(await step(resumed.modelId, 2)).toEqual(next);
    const fresh = await loaded(path, SAME, false);
    expect(await step(fresh.modelId, 2)).toEqual({ ...(next as object), 'stepscope/updates': 1 });
    const other = await loaded(path, { ...SAME, rank: 2 }, true);
    expect(other.answer).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('r is 4, this engine trains 2') as string },
    });
    for (const id of [modelId, resumed.modelId, fresh.modelId, other.modelId])
      await client.post('unload_model', { model_id: id });
  });

  it('a model and its checkpoint say what they are of, and the checkpoint holds model and adapters', async () => {
    const { session_id: sessionId, model_id: modelId } = await client.newModel(model, SAME);
    const path = await saved(modelId, 1);
    const own = { is_lora: true, lora_rank: 4 };
    expect((await client.post('get_info', { model_id: modelId })).body).toMatchObject({
      ...own,
      model_data: { parameters: PARAMETERS_AT_RANK_4 },
    });
    const flags = { train_attn: true, train_mlp: true, train_unembed: false };
    expect((await client.post('weights_info', { tinker_path: path })).body).toMatchObject({
      ...own,
      ...flags,
    });
    const run = `/api/v1/training_runs/${String(modelId)}`;
    expect((await client.ask(run)).body).toMatchObject(own);
    await client.post('unload_model', { model_id: modelId });

    const sampler = await client.post('create_sampling_session', {
      session_id: sessionId,
      sampling_session_seq_id: 0,
      model_path: path,
    });
    const sample = await client.post('asample', {
      sampling_session_id: sampler.body.sampling_session_id,
      prompt: { chunks: [{ tokens: [1, 2] }] },
      sampling_params: { max_tokens: 1, seed: 1 },
    });
    expect((await client.result(sample.body.request_id)).body.sequences).toHaveLength(1);
    const url = `${server.address}${run}/checkpoints/adapters/download`;
    const download = await fetch(url, { headers: { 'X-API-Key': KEY } });
    const files = readTar(gunzipSync(Buffer.from(await download.arrayBuffer())), 'adapters.tar.gz');
    expect([...files.keys()]).toEqual(
      expect.arrayContaining(['model.safetensors', 'adapter/adapter_model.safetensors']),
    );
  });

  it.each([
    [{ rank: 17 }, 400, 'lora_config.rank is 17, expected at most 16 (--max-lora-rank), or 0'],
    [
      { rank: 8, train_attn: false, train_mlp: false, train_unembed: false },
      400,
      'train_attn, train_mlp, train_unembed are all false',
    ],
    [{ rank: -1 }, 422, '"lora_config","rank"'],
    [{ rank: 4, alpha: 0 }, 422, '"lora_config","alpha"'],
  ])('%j is refused', async (loraConfig, status, detail) => {
    const { body: session } = await client.post('create_session', { tags: [], sdk_version: '1' });
    const refused = await client.post('create_model', {
      session_id: session.session_id,
      base_model: model,
      lora_config: loraConfig,
    });
    expect(refused.status).toBe(status);
    expect(JSON.stringify(refused.body.detail)).toContain(detail);
  });
});
