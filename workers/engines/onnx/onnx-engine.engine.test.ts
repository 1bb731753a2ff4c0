import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdamParams, Datum, SampledSequence, SampleRequest } from '@/contract/engine';
import { createRandom } from '@/rl/random';
import type { ModelConfig } from './model/parameters';
import { createOnnxEngine, type OnnxEngine } from './onnx-engine';
import { writeTinyModel } from '../../testing/tiny-model';

const ADAM: AdamParams = {
  learningRate: 0.01,
  beta1: 0.9,
  beta2: 0.95,
  eps: 1e-8,
  weightDecay: 0.01,
  gradClipNorm: 1,
};
const WEIGHTS = ['model.safetensors', 'optimizer.safetensors'];

let dir: string;
let model: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'onnx-engine-'));
  model = join(dir, 'model');
  await writeTinyModel(model, 1);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function withEngine<Result>(
  children: number,
  use: (engine: OnnxEngine) => Promise<Result>,
): Promise<Result> {
  const engine = await createOnnxEngine({ modelDir: model, children, microBatchTokens: 512 });
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}

function sampleRequests(engine: OnnxEngine, n: number, seed: number): SampleRequest[] {
  const random = createRandom(seed);
  const prompts = ['hello', ' go to red ball', 'a b c d e f', 'é'].map((content) =>
    engine.tokenizer.encodeChat([{ role: 'user', content }]),
  );
  return Array.from({ length: n }, () => ({
    prompt: random.pick(prompts),
    seed: random.integer(1_000_000),
    params: { maxTokens: 10, temperature: 1, stopTokens: engine.stopTokens },
  }));
}

/** One datum a sample: the reply's tokens carry its log-probabilities and an advantage. */
async function sampledData(engine: OnnxEngine, n: number, seed: number): Promise<Datum[]> {
  const sampler = await engine.training.saveWeightsForSampler();
  const requests = sampleRequests(engine, n, seed);
  const replies = await sampler.sampleBatch(requests, 0);
  return requests.map(({ prompt }, index) => {
    const { tokens = [], logprobs = [] } = replies[index] ?? {};
    const sequence = [...prompt, ...tokens];
    const before = prompt.length - 1;
    const zeros = new Array<number>(before).fill(0);
    return {
      modelInput: sequence.slice(0, -1),
      lossFnInputs: {
        targetTokens: sequence.slice(1),
        weights: [...zeros, ...tokens.map(() => 0.01)],
        logprobs: [...zeros, ...logprobs],
        advantages: [...zeros, ...tokens.map(() => (index % 2 ? 0.1 : -0.1))],
      },
    };
  });
}

/** What was kept of a prompt changes how it is computed, so equal replies differ in their last bits. */
function expectSameReplies(
  replies: readonly SampledSequence[] | undefined,
  expected: readonly SampledSequence[] | undefined,
): void {
  expect(replies?.map(({ tokens }) => tokens)).toEqual(expected?.map(({ tokens }) => tokens));
  replies?.forEach(({ logprobs }, i) =>
    logprobs.forEach((logprob, t) => expect(logprob).toBeCloseTo(expected?.[i]?.logprobs[t] ?? NaN, 5)),
  );
}

async function trainSteps(engine: OnnxEngine, first: number, last: number): Promise<void> {
  for (let step = first; step <= last; step++) {
    await engine.training.forwardBackward(await sampledData(engine, 24, step), 'ppo', { entropyCoef: 0.01 });
    await engine.training.optimStep(ADAM);
  }
}

describe('an engine of two children', () => {
  it('samples with the log-probabilities the trainer computes for the same tokens', async () => {
    await withEngine(2, async (engine) => {
      await trainSteps(engine, 1, 1);
      const data = await sampledData(engine, 40, 9);
      const { logprobs, trainedTokens } = await engine.training.forwardBackward(data, 'ppo');
      let compared = 0;
      data.forEach(({ lossFnInputs }, index) =>
        lossFnInputs.advantages?.forEach((advantage, t) => {
          if (advantage === 0) return;
          compared++;
          expect(Math.abs((logprobs[index]?.[t] ?? NaN) - (lossFnInputs.logprobs?.[t] ?? NaN))).toBeLessThan(
            1e-5,
          );
        }),
      );
      expect(compared).toBeGreaterThan(200);
      expect(trainedTokens).toBeLessThan(data.reduce((sum, { modelInput }) => sum + modelInput.length, 0));
    });
  });

  it('computes the gradient of one child, whatever way the data are shared out', async () => {
    const results = [];
    for (const children of [1, 2, 3])
      results.push(
        await withEngine(children, async (engine) => {
          const data = await sampledData(engine, 24, 5);
          const output = await engine.training.forwardBackward(data, 'ppo');
          const { gradNorm, updates } = await engine.training.optimStep(ADAM);
          expect(updates).toBe(1);
          return { loss: output.lossSum, gradNorm, last: output.logprobs.at(-1) };
        }),
      );
    const [one] = results;
    for (const other of results) {
      expect(other.loss).toBeCloseTo(one?.loss ?? NaN, 5);
      expect(other.gradNorm).toBeCloseTo(one?.gradNorm ?? NaN, 5);
      expect(other.last?.length).toBe(one?.last?.length);
    }
  });

  it('gives equal seeds equal replies on every lane and in every process', async () => {
    const sampleAll = () =>
      withEngine(2, async (engine) => {
        const sampler = await engine.training.saveWeightsForSampler();
        const requests = sampleRequests(engine, 40, 3);
        const lanes = await Promise.all([0, 1, 2].map((lane) => sampler.sampleBatch(requests, lane)));
        expect(lanes[1]).toEqual(lanes[0]);
        expectSameReplies(lanes[2], lanes[0]);
        expect(sampler.lanes).toBe(2);
        expect(sampler.counts().prompt).toBe(
          3 * requests.reduce((sum, { prompt }) => sum + prompt.length, 0),
        );
        return lanes[0];
      });
    expect(await sampleAll()).toEqual(await sampleAll());
  });

  it('samples n replies of one prompt that differ, and the same n again', async () => {
    await withEngine(2, async (engine) => {
      const params = { maxTokens: 8, temperature: 1, stopTokens: engine.stopTokens };
      const first = await engine.base.sample([65, 66], 5, params, 11);
      expect(new Set(first.map(({ tokens }) => tokens.join())).size).toBe(5);
      expectSameReplies(await engine.base.sample([65, 66], 5, params, 11), first);
      expect(engine.base.counts().prefilled).toBe(3);
    });
  });

  it('keeps a sampling client at its own weights when training goes on', async () => {
    await withEngine(2, async (engine) => {
      const requests = sampleRequests(engine, 20, 4);
      const stale = await engine.training.saveWeightsForSampler();
      const before = await stale.sampleBatch(requests, 0);
      const scored = await stale.computeLogprobs([1, 2, 3]);
      await trainSteps(engine, 1, 2);
      const fresh = await engine.training.saveWeightsForSampler();
      const [after, own, base] = await Promise.all([
        fresh.sampleBatch(requests, 0),
        stale.sampleBatch(requests, 0),
        engine.base.sampleBatch(requests, 0),
      ]);
      expect(own).toEqual(before);
      expectSameReplies(base, before);
      expect(after).not.toEqual(before);
      expect(await stale.computeLogprobs([1, 2, 3])).toEqual(scored);
      expect(await fresh.computeLogprobs([1, 2, 3])).not.toEqual(scored);
    });
  });
});

describe('a checkpoint', () => {
  it('resumes so that three steps, saving, loading and three more equal six, to the last bit', async () => {
    const [six, resumed, three] = ['six', 'resumed', 'three'].map((name) => join(dir, name));
    await withEngine(2, async (engine) => {
      await trainSteps(engine, 1, 3);
      await engine.training.saveState(three ?? '');
      await trainSteps(engine, 4, 6);
      await engine.training.saveState(six ?? '');
    });
    await withEngine(2, async (engine) => {
      await engine.training.loadState(three ?? '');
      await trainSteps(engine, 4, 6);
      await engine.training.saveState(resumed ?? '');
    });
    for (const file of WEIGHTS) {
      const bytes = readFileSync(join(six ?? '', file));
      expect(bytes.equals(readFileSync(join(resumed ?? '', file)))).toBe(true);
      expect(bytes.equals(readFileSync(join(three ?? '', file)))).toBe(false);
    }
    expect(readFileSync(join(six ?? '', 'tokenizer.json'))).toEqual(
      readFileSync(join(model, 'tokenizer.json')),
    );
    expect(readdirSync(dir).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('is refused while a gradient waits, and leaves nothing', async () => {
    await withEngine(1, async (engine) => {
      await engine.training.forwardBackward(await sampledData(engine, 2, 1), 'ppo');
      await expect(engine.training.saveState(join(dir, 'waiting'))).rejects.toThrow('a gradient waits');
      expect(existsSync(join(dir, 'waiting'))).toBe(false);
    });
  });

  it('of another shape is refused, naming the field, and changes nothing', async () => {
    const other = join(dir, 'other');
    cpSync(model, other, { recursive: true });
    const config = JSON.parse(readFileSync(join(other, 'config.json'), 'utf8')) as Record<string, unknown>;
    writeFileSync(join(other, 'config.json'), JSON.stringify({ ...config, rope_theta: 500 }));
    await withEngine(1, async (engine) => {
      const scored = await (await engine.training.saveWeightsForSampler()).computeLogprobs([1, 2, 3]);
      await expect(engine.training.loadState(other)).rejects.toThrow(
        "ropeTheta is 500, this engine's model has 10000",
      );
      const still = await engine.training.saveWeightsForSampler();
      expect(await still.computeLogprobs([1, 2, 3])).toEqual(scored);
    });
  });
});

describe('bad input', () => {
  it('is refused with the request, field and value, and the engine goes on', async () => {
    await withEngine(1, async (engine) => {
      const [request] = sampleRequests(engine, 1, 1);
      if (!request) throw new Error('no request');
      const params = request.params;
      const refused = (overrides: Partial<SampleRequest>, message: string) =>
        expect(engine.base.sampleBatch([request, { ...request, ...overrides }], 0)).rejects.toThrow(message);
      await refused({ prompt: [] }, 'requests[1].prompt is empty');
      await refused(
        { prompt: [1, 99_999] },
        'requests[1].prompt[1] is 99999, expected a token id of 0 to 264',
      );
      await refused({ seed: 0.5 }, 'requests[1].seed is 0.5');
      await refused({ params: { ...params, maxTokens: 0 } }, 'requests[1].params.maxTokens is 0');
      await refused({ params: { ...params, temperature: NaN } }, 'requests[1].params.temperature is NaN');
      await refused({ params: { ...params, maxTokens: 256 } }, "exceed the model's 256 positions");
      await refused(
        { params: { ...params, allowedReplies: [[-1]] } },
        'requests[1].params.allowedReplies[0][0] is -1',
      );
      await expect(engine.base.computeLogprobs([1, -2])).rejects.toThrow('tokens[1] is -2');
      const data = await sampledData(engine, 3, 1);
      const broken = data.map((datum, i) =>
        i === 2 ? { ...datum, modelInput: [...datum.modelInput, 1] } : datum,
      );
      await expect(engine.training.forwardBackward(broken, 'ppo')).rejects.toThrow('data[2].lossFnInputs');
      expect(await engine.base.sampleBatch([request], 0)).toHaveLength(1);
    });
  });

  it('of an engine spec is refused before anything starts', async () => {
    await expect(createOnnxEngine({ modelDir: model, children: 0, microBatchTokens: 512 })).rejects.toThrow(
      'children is 0',
    );
    await expect(
      createOnnxEngine({ modelDir: join(dir, 'absent'), children: 1, microBatchTokens: 512 }),
    ).rejects.toThrow('absent/config.json: not found');
  });

  it('of a folder whose tokens and weights do not belong together is refused before anything starts', async () => {
    const openWith = async (name: string, shape: Partial<ModelConfig>, generation?: string) => {
      const path = join(dir, name);
      await writeTinyModel(path, 1, shape);
      if (generation !== undefined) writeFileSync(join(path, 'generation_config.json'), generation);
      return createOnnxEngine({ modelDir: path, children: 1, microBatchTokens: 512 });
    };
    await expect(openWith('narrow', { vocabularySize: 264 })).rejects.toThrow(
      "narrow: tokenizer.json has 265 ids, config.json's vocab_size is 264",
    );
    await expect(openWith('endless', {}, '{"eos_token_id": [259, 265]}')).rejects.toThrow(
      'endless/generation_config.json: eos_token_id[1] is 265, expected a token id of 0 to 264',
    );
  });
});

describe('the death of a process', () => {
  it('of a child rejects what waits and all that follows, naming child and signal, and ends the other child', async () => {
    await withEngine(2, async (engine) => {
      const requests = sampleRequests(engine, 200, 2);
      const waiting = Promise.allSettled([0, 1].map((lane) => engine.base.sampleBatch(requests, lane)));
      const [first = 0, second = 0] = engine.childPids;
      process.kill(second, 'SIGKILL');
      const message = `engine child 1 (pid ${second}) died by signal SIGKILL`;
      expect((await waiting)[1]).toMatchObject({
        status: 'rejected',
        reason: { code: 'unavailable', message },
      });
      await expect(engine.base.sampleBatch(requests, 0)).rejects.toThrow(message);
      const datum = { modelInput: [1, 2], lossFnInputs: { targetTokens: [2, 3], weights: [0, 1] } };
      await expect(engine.training.forwardBackward([datum], 'cross_entropy')).rejects.toThrow(message);
      await expect(until(() => !isAlive(first))).resolves.toBe(true);
    });
  });

  it('of the parent ends its children', async () => {
    const script = join(dir, 'parent.mts');
    writeFileSync(
      script,
      `import { createOnnxEngine } from ${JSON.stringify(join(import.meta.dirname, 'onnx-engine.ts'))};
       const engine = await createOnnxEngine({ modelDir: ${JSON.stringify(model)}, children: 2, microBatchTokens: 512 });
       console.log(JSON.stringify(engine.childPids));
       setInterval(() => undefined, 1000);`,
    );
    const parent = spawn(process.execPath, ['--import', 'tsx', script], {
      cwd: process.cwd(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(parent, 'exit').then(() => Promise.reject(new Error('the parent ended by itself')));
    const [line] = (await Promise.race([once(parent.stdout, 'data'), ended])) as [Buffer];
    ended.catch(() => undefined);
    const pids = JSON.parse(line.toString()) as number[];
    expect(pids.map(isAlive)).toEqual([true, true]);
    parent.kill('SIGKILL');
    await expect(until(() => !pids.some(isAlive))).resolves.toBe(true);
  });

  it('does not follow from closing: an engine closes twice and then refuses', async () => {
    const engine = await createOnnxEngine({ modelDir: model, children: 2, microBatchTokens: 512 });
    await Promise.all([engine.close(), engine.close()]);
    expect(engine.childPids.some(isAlive)).toBe(false);
    await expect(engine.base.computeLogprobs([1, 2])).rejects.toThrow('the engine is closed');
  });
});

/** A zombie has died: only its parent has not looked yet. */
function isAlive(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)])
      .toString()
      .startsWith('Z');
  } catch {
    return false;
  }
}

async function until(holds: () => boolean): Promise<boolean> {
  for (let i = 0; i < 200 && !holds(); i++) await new Promise((resolve) => setTimeout(resolve, 50));
  return holds();
}
