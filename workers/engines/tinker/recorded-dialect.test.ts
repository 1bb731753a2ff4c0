import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AdamParams, Datum } from '@/contract/engine';
import { outsideDataDir } from '../../env';
import { writeTinyModel } from '../../testing/tiny-model';
import { TinkerConnection, type Timing } from './connection';
import { awaitResult } from './future';
import { RecordedServer } from './testing/recorded-server';
import { createTinkerEngine, type TinkerEngine, type TinkerEngineOptions } from './tinker-engine';

const recording = join(outsideDataDir(), 'tinker', 'skyrl-transcript.log');
const MODEL = 'tiny-qwen3';
/** Waits between tries are cut short. */
const HURRIED: Timing = {
  now: () => performance.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 5))),
};
const ADAM: AdamParams = {
  learningRate: 0.01,
  beta1: 0.9,
  beta2: 0.95,
  eps: 1e-8,
  weightDecay: 0,
  gradClipNorm: 0,
};

describe.skipIf(!existsSync(recording))('against the dialect of a recorded server', () => {
  let dir: string;
  let server: RecordedServer;
  let engine: TinkerEngine;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'recorded-dialect-'));
    await writeTinyModel(join(dir, MODEL), 1);
    server = await RecordedServer.start(recording);
    engine = await openEngine();
  });
  afterAll(async () => {
    await engine?.close();
    await server?.close();
    rmSync(dir, { recursive: true, force: true });
  });

  function openEngine(changes: Partial<TinkerEngineOptions> = {}): Promise<TinkerEngine> {
    return createTinkerEngine({
      address: server.address,
      apiKey: null,
      patienceMs: 3000,
      model: MODEL,
      tokenizersDir: dir,
      profile: 'skyrl-jax',
      timing: HURRIED,
      ...changes,
    });
  }

  const last = (route: string) => server.requests.filter((request) => request.route === route).at(-1)?.body;
  const stopTokens = [7];

  /** Ten tokens of which the last six were sampled, as in the recording. */
  function datum(): Datum {
    const [logprobs = []] = server.numbers('fb ppo', 'logprobs');
    const advantages = logprobs.map((_, t) => (t < 4 ? 0 : -0.5));
    return {
      modelInput: logprobs.map((_, t) => t),
      lossFnInputs: { targetTokens: logprobs.map((_, t) => t + 1), advantages, logprobs },
    };
  }

  it('an engine opens with what the server leaves unsaid', () => {
    expect(engine.parameters).toBeNaN();
    expect(engine.contextTokens).toBe(Infinity);
    expect(last('create_model')).toMatchObject({ base_model: MODEL, lora_config: { rank: 32 } });
  });

  it('the adapters that a run asks for come before the rank of the worker’s environment', async () => {
    const lora = { rank: 8, alpha: 16, targets: ['mlp' as const], seed: 5 };
    const adapted = await openEngine({ loraRank: 4, lora });
    await adapted.close();
    expect(last('create_model')?.lora_config).toEqual({
      rank: 8,
      alpha: 16,
      seed: 5,
      train_attn: false,
      train_mlp: true,
      train_unembed: false,
    });
    const plain = await openEngine({ loraRank: 4 });
    await plain.close();
    expect(last('create_model')?.lora_config).toEqual({ rank: 4 });
  });

  it('samples are asked for with a list of stop ids and a limit, for it has no end of its own', async () => {
    const sampler = await engine.training.saveWeightsForSampler();
    const params = { maxTokens: 6, temperature: 1, stopTokens };
    const replies = await sampler.sample([1, 2, 3], 2, params, 2 ** 40 + 5);
    expect(replies.map(({ tokens }) => tokens)).toEqual(server.numbers('asample', 'tokens').slice(0, 2));
    expect(replies[0]?.logprobs).toEqual(server.numbers('asample', 'logprobs')[0]);
    expect(last('asample')).toMatchObject({
      sampling_session_id: 'sampling_b7175ac0',
      num_samples: 2,
      sampling_params: { max_tokens: 6, stop: [7], seed: 5 },
    });
    expect(last('asample')).not.toHaveProperty('batch');
    // The recorded server has no word of what it reused.
    expect(sampler.counts()).toEqual({ prompt: 6, prefilled: 6, reused: NaN, sampled: expect.any(Number) });
    expect(replies[0]).not.toHaveProperty('prefilledTokens');
  });

  it('log-probabilities of a prompt are lined up, though their first is left out', async () => {
    const [scored = []] = server.numbers('fb ppo', 'logprobs');
    const prompt = Array.from({ length: scored.length + 1 }, (_, i) => i);
    expect(await engine.base.computeLogprobs(prompt)).toEqual([NaN, ...scored]);
    expect(last('asample')).toMatchObject({ prompt_logprobs: true, sampling_params: { max_tokens: 1 } });
  });

  it('a gradient is asked for as the server averages, and its loss is told in the contract’s terms', async () => {
    const { logprobs, lossSum, entropies } = await engine.training.forwardBackward([datum()], 'ppo');
    expect([...(logprobs[0] ?? [])]).toEqual(server.numbers('fb ppo', 'logprobs')[0]?.map(Math.fround));
    expect(entropies).toBeUndefined();
    // Six tokens with ratio 1 and advantage -0.5.
    expect(lossSum).toBeCloseTo(3, 5);
    expect(last('forward_backward')?.forward_backward_input?.data?.[0]?.loss_fn_inputs).toMatchObject({
      weights: { data: [0, 0, 0, 0, 1, 1, 1, 1, 1, 1] },
      advantages: { data: [0, 0, 0, 0, -3, -3, -3, -3, -3, -3] },
    });
    await expect(engine.training.forwardBackward([datum()], 'ppo')).rejects.toThrow(
      'a skyrl-jax server averages over all data since the last update',
    );
    const { gradNorm, updates } = await engine.training.optimStep(ADAM);
    expect({ gradNorm, updates }).toEqual({ gradNorm: 3.649689197540283, updates: 1 });
  });

  it('a lost answer is asked for again under its number, and is no second update', async () => {
    const before = server.requests.length;
    server.lost.add('optim_step');
    expect((await engine.training.optimStep(ADAM)).updates).toBe(2);
    const steps = server.requests.slice(before).filter(({ route }) => route === 'optim_step');
    expect(steps).toHaveLength(2);
    expect(steps[1]).toEqual(steps[0]);
  });

  it('a save whose answer was lost is found in the list, since the server calls its repetition a conflict', async () => {
    server.lost.add('save_weights');
    const checkpoint = join(dir, 'step-000002');
    await engine.training.saveState(checkpoint);
    const saved = JSON.parse(readFileSync(join(checkpoint, 'tinker-checkpoint.json'), 'utf8')) as object;
    expect(saved).toMatchObject({
      path: `tinker://model_8d5520a1/weights/${last('save_weights')?.path}`,
      updates: 2,
      loraRank: 32,
    });
    await engine.training.loadState(checkpoint);
    expect(last('load_weights')).toMatchObject({ seq_id: 1, optimizer: true });
  });

  describe('its refusals', () => {
    const Submission = z.object({ request_id: z.string() });
    const connect = () =>
      new TinkerConnection({ address: server.address, apiKey: null, patienceMs: 100, timing: HURRIED });
    const submitted = async (route: string, body: object) => {
      const connection = connect();
      const { request_id: requestId } = await connection.request(Submission, { route, body });
      const resubmit = () => Promise.resolve(requestId);
      return awaitResult(connection, { route, requestId, isRepeatable: false, resubmit });
    };
    const sample = { prompt: { chunks: [{ tokens: [1] }] } };

    it.each([
      [
        'a loss that it lacks',
        'forward_backward',
        { forward_backward_input: { loss_fn: 'gspo' } },
        "Loss functions ['gspo'] are not supported by the JAX backend",
      ],
      [
        'a loss that is none',
        'forward_backward',
        { forward_backward_input: { loss_fn: 'dro' } },
        "forward_backward_input.loss_fn: Input should be 'cross_entropy'",
      ],
      [
        'a bare stop text',
        'asample',
        { ...sample, sampling_params: { stop: 'x' } },
        'body.sampling_params.stop.list[int]: Input should be a valid list',
      ],
      ['no limit', 'asample', { ...sample, sampling_params: {} }, 'max_tokens is currently required'],
      [
        'top-k of a prompt',
        'asample',
        { ...sample, sampling_params: { max_tokens: 1 }, topk_prompt_logprobs: 2 },
        'topk_prompt_logprobs is not supported',
      ],
      [
        'weights for a used model',
        'load_weights',
        { seq_id: 12 },
        'LoadWeights is not permitted with seq_id 12',
      ],
      ['a route that is none', 'sessions', {}, 'Not Found'],
    ])('of %s are told with server, route and reason', async (_, route, body, said) => {
      const error: unknown = await submitted(route, body).catch((reason: unknown) => reason);
      expect(String(error)).toContain(`POST ${server.address}/api/v1/${route}`);
      expect(String(error)).toContain(said);
    });

    it('of a number that comes again with another body are a conflict', async () => {
      await submitted('optim_step', { model_id: 'm', seq_id: 1, adam_params: {} });
      await expect(
        submitted('optim_step', { model_id: 'm', seq_id: 1, adam_params: { beta1: 0 } }),
      ).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('Training request sequence number was reused') as string,
      });
    });
  });
});
