import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTar } from '../../alfworld/tar';
import { outsideDataDir } from '../../env';
import { writeTinyModel } from '../../testing/tiny-model';
import { Secret } from '../tinker/secret';
import { EngineServeProcess } from '../tinker/testing/engine-serve';
import { createTinkerEngine, type TinkerEngine, type TinkerEngineOptions } from '../tinker/tinker-engine';
import { WireClient } from './testing/wire-client';

const KEY = 'a-key-of-the-tests';
const recordedOpenApi = join(outsideDataDir(), 'tinker', 'skyrl-openapi.json');

let dir: string;
let model: string;
let server: EngineServeProcess;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'engine-serve-'));
  model = join(dir, 'model');
  await writeTinyModel(model, 1);
  server = await serve([]);
});
afterAll(async () => {
  await server?.end();
  rmSync(dir, { recursive: true, force: true });
});

function serve(options: string[]): Promise<EngineServeProcess> {
  const argv = ['--model', model, '--port', '0', '--checkpoints', join(dir, 'saved')];
  return EngineServeProcess.start([...argv, '--key-env', 'ENGINE_KEY', ...options], {
    ...process.env,
    ENGINE_KEY: KEY,
  });
}

const client = new WireClient(() => server.address, KEY);
const ask: WireClient['ask'] = (...request) => client.ask(...request);
const post: WireClient['post'] = (...request) => client.post(...request);
const result: WireClient['result'] = (requestId) => client.result(requestId);
const newModel = () => client.newModel(model, { rank: 0 });

function openEngine(changes: Partial<TinkerEngineOptions> = {}): Promise<TinkerEngine> {
  return createTinkerEngine({
    address: server.address,
    apiKey: new Secret(KEY),
    patienceMs: 2000,
    model,
    tokenizersDir: '/',
    ...changes,
  });
}

async function withEngines<Result>(
  count: number,
  use: (engines: TinkerEngine[]) => Promise<Result>,
): Promise<Result> {
  const engines = await Promise.all(Array.from({ length: count }, () => openEngine()));
  try {
    return await use(engines);
  } finally {
    await Promise.all(engines.map((engine) => engine.close()));
  }
}

const DATUM = { modelInput: [1, 2, 3], lossFnInputs: { targetTokens: [2, 3, 4], weights: [0, 1, 1] } };
const ADAM = { learningRate: 0.01, beta1: 0.9, beta2: 0.95, eps: 1e-8, weightDecay: 0, gradClipNorm: 0 };

describe('who may ask', () => {
  it('has the key; without it nothing but health is told', async () => {
    const wrong: Record<string, string>[] = [{}, { 'X-API-Key': 'wrong' }];
    for (const headers of wrong) {
      const refused = await ask('/api/v1/get_server_capabilities', undefined, headers);
      expect(refused).toMatchObject({ status: 401, body: { detail: 'X-API-Key is missing or wrong' } });
    }
    expect(await ask('/api/v1/healthz', undefined, {})).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    });
    expect((await ask('/api/v1/get_server_capabilities')).status).toBe(200);
    await expect(openEngine({ apiKey: new Secret('wrong') })).rejects.toThrow('STEPSCOPE_TINKER_API_KEY');
  });

  it('is no web page: another origin and another name of this machine are refused', async () => {
    const page = { 'X-API-Key': KEY, Origin: 'https://elsewhere.example' };
    expect((await ask('/api/v1/healthz', undefined, page)).status).toBe(403);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { host: 'elsewhere.example', 'x-api-key': KEY };
      httpRequest(`${server.address}/api/v1/healthz`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
  });
});

it('a port that is taken is told as such, and the server ends', async () => {
  const second = serve(['--port', String(server.port)]);
  await expect(second).rejects.toThrow(/^listen EADDRINUSE: .*$/);
});

it('a file in place of the folder of checkpoints is told as such, and the server ends', async () => {
  const file = join(model, 'config.json');
  const started = serve(['--checkpoints', file]);
  await expect(started).rejects.toThrow(`--checkpoints ${file}: expected a folder that can be written to`);
});

describe('the routes', () => {
  it.skipIf(!existsSync(recordedOpenApi))('are those of the recorded server', async () => {
    const recorded = JSON.parse(readFileSync(recordedOpenApi, 'utf8')) as { paths: Record<string, object> };
    const ours = (await ask('/openapi.json')).body as { paths: Record<string, object> };
    const shapes = (paths: Record<string, object>) =>
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`),
      );
    // Its one further page is a greeting; a checkpoint's path is two parts here, its kind and its name.
    const expected = shapes(recorded.paths).filter(
      (shape) => shape !== 'get /' && !shape.startsWith('delete '),
    );
    expect(expected.length).toBeGreaterThan(24);
    expect(shapes(ours.paths)).toEqual(expect.arrayContaining(expected));
  });

  it('refuse as the recorded server does', async () => {
    const { session_id, model_id } = await newModel();
    const sample = { prompt: { chunks: [{ tokens: [1] }] }, base_model: model };
    expect(await post('nothing', {})).toMatchObject({ status: 404, body: { detail: 'Not Found' } });
    expect(await result('999')).toMatchObject({ status: 404, body: { detail: 'Future not found' } });
    expect(await post('get_info', { model_id: 'model_0' })).toMatchObject({
      status: 404,
      body: { detail: 'Model not found' },
    });
    expect(await post('create_model', { session_id })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'base_model'] }] },
    });
    expect(await post('asample', { ...sample, sampling_params: { stop: 'x', max_tokens: 1 } })).toMatchObject(
      {
        status: 422,
        body: { detail: [{ loc: ['body', 'sampling_params', 'stop'] }] },
      },
    );
    expect(await post('asample', { ...sample, sampling_params: {} })).toMatchObject({
      status: 400,
      body: { detail: 'max_tokens is currently required' },
    });
    expect(
      await post('forward_backward', { model_id, forward_backward_input: { data: [], loss_fn: 'dro' } }),
    ).toMatchObject({ status: 422, body: { detail: [{ loc: ['forward_backward_input', 'loss_fn'] }] } });
    expect(await ask('/api/v1/optim_step', '{"model_id": ')).toMatchObject({ status: 422 });
    const { body: other } = await post('create_model', {
      session_id,
      base_model: 'x',
      lora_config: { rank: 0 },
    });
    expect(await result(other.request_id)).toMatchObject({
      status: 400,
      body: { detail: `Engine is configured for '${model}' but request specified 'x'` },
    });
    await post('unload_model', { model_id });
  });

  it('take an operation once: the same number again is the same one, another body under it is refused', async () => {
    const { model_id } = await newModel();
    const step = { model_id, seq_id: 1, adam_params: { learning_rate: 0.5 } };
    const first = await post('optim_step', step);
    expect((await post('optim_step', step)).body).toEqual(first.body);
    expect(await post('optim_step', { ...step, adam_params: {} })).toMatchObject({
      status: 409,
      body: { detail: 'Training request sequence number was reused' },
    });
    expect((await result(first.body.request_id)).body).toMatchObject({ metrics: { 'stepscope/updates': 1 } });
    const load = { model_id, seq_id: 2, path: `tinker://${String(model_id)}/weights/none` };
    expect((await post('load_weights', load)).status).toBe(404);
    const saved = await post('save_weights', { model_id, seq_id: 2, path: 'first' });
    const path = `tinker://${String(model_id)}/weights/first`;
    expect((await result(saved.body.request_id)).body).toEqual({ path, type: 'save_weights' });
    const again = { model_id, seq_id: 3, path: 'second' };
    const [one, same] = await Promise.all([post('save_weights', again), post('save_weights', again)]);
    expect(same.body).toEqual(one.body);
    expect((await result(one.body.request_id)).status).toBe(200);
    expect(await post('save_weights', { model_id, seq_id: 4, path: 'first' })).toMatchObject({ status: 409 });
    expect(await post('load_weights', { model_id, seq_id: 4, path })).toMatchObject({
      status: 400,
      body: { detail: 'LoadWeights is not permitted with seq_id 4' },
    });
    await post('unload_model', { model_id });
  });

  it('refuse a protobuf body without its fields as they do a JSON one', async () => {
    const empty = await fetch(`${server.address}/api/v1/forward_backward`, {
      method: 'POST',
      headers: { 'X-API-Key': KEY, 'Content-Type': 'application/x-protobuf' },
    });
    expect(empty.status).toBe(422);
    expect(await empty.json()).toMatchObject({ detail: [{ loc: ['body', 'model_id'] }] });
  });

  it('never leave the folder of checkpoints', async () => {
    for (const path of ['tinker://../weights/x', 'tinker://m/weights/../../x', 'file:///etc/passwd'])
      expect((await post('weights_info', { tinker_path: path })).status).toBe(400);
    expect((await ask('/api/v1/training_runs/..%2F..%2Fmodel/checkpoints')).status).toBe(404);
  });
});

describe('training clients side by side', () => {
  it('have weights of their own, and the base stays as it is', async () => {
    await withEngines(2, async ([one, two]) => {
      if (!one || !two) throw new Error('two engines');
      const score = async (engine: TinkerEngine) =>
        (await engine.training.saveWeightsForSampler()).computeLogprobs([1, 2, 3, 4]);
      const before = await score(two);
      await one.training.forwardBackward([DATUM], 'cross_entropy');
      await one.training.optimStep(ADAM);
      const [trained, untouched, base] = await Promise.all([
        score(one),
        score(two),
        two.base.computeLogprobs([1, 2, 3, 4]),
      ]);
      expect(untouched).toEqual(before);
      expect(base).toEqual(before);
      expect(trained).not.toEqual(before);
    });
  });

  it('read the same results as JSON and as protobuf', async () => {
    await withEngines(1, async ([json]) => {
      const protobuf = await openEngine({ codec: 'protobuf' });
      const outputs = [];
      for (const engine of [json, protobuf]) {
        if (!engine) throw new Error('two engines');
        const sampler = await engine.training.saveWeightsForSampler();
        const params = { maxTokens: 4, temperature: 1, stopTokens: [] };
        const reply = await sampler.sample([1, 2], 2, params, 5);
        const rl = {
          modelInput: [1, 2, 3],
          lossFnInputs: {
            targetTokens: [2, 3, 4],
            weights: [0, 1, 1],
            logprobs: [0, -5, -5],
            advantages: [0, 1, -1],
          },
        };
        const gradient = await engine.training.forwardBackward([rl], 'ppo', { entropyCoef: 0.25 });
        outputs.push({
          tokens: reply.map(({ tokens }) => tokens),
          logprobs: Float32Array.from(reply.flatMap(({ logprobs }) => logprobs)),
          gradient,
          step: await engine.training.optimStep(ADAM),
        });
      }
      await protobuf.close();
      expect(outputs[0]?.gradient.entropies?.[0]?.[1]).toBeGreaterThan(0);
      expect(outputs[1]).toEqual(outputs[0]);
    });
  });
});

describe('a checkpoint', () => {
  it('is listed, downloaded as it lies on disk, and sampled from after its model is gone', async () => {
    const { session_id, model_id } = await newModel();
    const saved = await post('save_weights_for_sampler', { model_id, seq_id: 1, path: 'policy' });
    const path = `tinker://${String(model_id)}/sampler_weights/policy`;
    expect((await result(saved.body.request_id)).body).toMatchObject({ path });
    await post('unload_model', { model_id });

    const run = `/api/v1/training_runs/${String(model_id)}`;
    expect((await ask(`${run}/checkpoints`)).body).toMatchObject({
      checkpoints: [{ checkpoint_id: 'policy', checkpoint_type: 'sampler', tinker_path: path }],
    });
    const archive = await ask(`${run}/checkpoints/policy/archive`);
    expect(archive.status).toBe(302);
    const download = await fetch(archive.headers.get('location') ?? '', { headers: { 'X-API-Key': KEY } });
    const files = readTar(gunzipSync(Buffer.from(await download.arrayBuffer())), 'policy.tar.gz');
    const folder = join(dir, 'saved', String(model_id), 'sampler_weights', 'policy');
    expect([...files.keys()].sort()).toEqual(readdirSync(folder).sort());
    expect([...files.keys()]).not.toContain('optimizer.safetensors');
    for (const [name, bytes] of files) expect(bytes.equals(readFileSync(join(folder, name)))).toBe(true);

    const { body: opened } = await post('create_sampling_session', {
      session_id,
      sampling_session_seq_id: 0,
      model_path: `tinker://${String(model_id)}/policy`,
    });
    const sample = await post('asample', {
      sampling_session_id: opened.sampling_session_id,
      prompt: { chunks: [{ type: 'encoded_text', tokens: [1, 2, 3] }] },
      sampling_params: { max_tokens: 2, seed: 1 },
      prompt_logprobs: true,
    });
    const answer = (await result(sample.body.request_id)).body;
    expect(answer.prompt_logprobs).toHaveLength(3);
    expect(answer.sequences).toHaveLength(1);
    const deleted = await fetch(`${server.address}${run}/checkpoints/sampler_weights/policy`, {
      method: 'DELETE',
      headers: { 'X-API-Key': KEY },
    });
    expect(deleted.status).toBe(204);
    expect((await ask(`${run}/checkpoints`)).body).toEqual({ checkpoints: [] });
  });
});

it('checkpoints are sampled from in turn by no more engines than the server may have, with the same samples', async () => {
  const narrow = await serve(['--max-samplers', '1']);
  const wire = new WireClient(() => narrow.address, KEY);
  const { model_id } = await wire.newModel(model, { rank: 0 });
  const save = async (path: string, seq_id: number): Promise<unknown> => {
    const saved = await wire.post('save_weights_for_sampler', { model_id, seq_id, path });
    return (await wire.result(saved.body.request_id)).body.path;
  };
  const paths = [await save('first', 1), await save('second', 2)];
  const submit = (model_path: unknown) =>
    wire.post('asample', {
      model_path,
      prompt: { chunks: [{ type: 'encoded_text', tokens: [1, 2, 3] }] },
      sampling_params: { max_tokens: 4, seed: 7 },
    });
  const sample = async (path: unknown) =>
    (await wire.result((await submit(path)).body.request_id)).body.sequences;
  const once = await sample(paths[0]);
  expect(once).toHaveLength(1);
  expect(await sample(paths[1])).toHaveLength(1);
  expect(await sample(paths[0])).toEqual(once);
  // The second has to be opened for its request, and meanwhile there is no room for the first.
  const [busy, refused] = [await submit(paths[1]), await submit(paths[0])];
  expect([busy.status, refused.status]).toEqual([200, 429]);
  await narrow.end();
});

it('a session lives while its heart beats and takes its models with it when it falls silent', async () => {
  const strict = await serve(['--session-timeout', '3']);
  const [beating, silent] = await Promise.all(
    [300, 1_000_000].map((heartbeatMs) => openEngine({ address: strict.address, heartbeatMs })),
  );
  await new Promise((resolve) => setTimeout(resolve, 5500));
  await expect(silent?.training.optimStep(ADAM)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(
      new RegExp(
        `^POST ${strict.address}/api/v1/optim_step answered HTTP 404: “Model not found”.*a resume goes on`,
      ),
    ) as string,
  });
  expect((await beating?.training.optimStep(ADAM))?.updates).toBe(1);
  await Promise.all([beating?.close(), silent?.close()]);
  await strict.end();
});

it('another address than this machine’s is refused without a key', async () => {
  const start = EngineServeProcess.start(['--model', model, '--port', '0', '--host', '0.0.0.0']);
  await expect(start).rejects.toThrow('--host 0.0.0.0 can be reached from other machines');
});
