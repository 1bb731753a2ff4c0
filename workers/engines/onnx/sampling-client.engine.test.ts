import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdamParams, Datum, SampledSequence, SampleRequest, SamplingClient } from '@/contract/engine';
import { rowsOf, rowsToData } from '@/rl/learning/rows';
import type { CallTokens } from '@/rl/play';
import { hashSeed } from '@/rl/random';
import { writeTinyModel } from '../../testing/tiny-model';
import { createOnnxEngine, type OnnxEngine } from './onnx-engine';

const ADAM: AdamParams = {
  learningRate: 0.01,
  beta1: 0.9,
  beta2: 0.95,
  eps: 1e-8,
  weightDecay: 0.01,
  gradClipNorm: 1,
};
const LANES = 2;
const EPISODES = 6;

let dir: string;
let model: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'sampling-client-'));
  model = join(dir, 'model');
  await writeTinyModel(model, 1);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function withEngine<Result>(use: (engine: OnnxEngine) => Promise<Result>): Promise<Result> {
  const engine = await createOnnxEngine({ modelDir: model, children: LANES, microBatchTokens: 2048 });
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}

/** What an episode is told after a turn, of a length of its own. */
function told(engine: OnnxEngine, episode: number, turn: number): number[] {
  return engine.tokenizer.encode(' go to red ball'.repeat(1 + ((episode + turn) % 3)));
}

/** Conversations that only grow, half of them on each lane; a call a turn. */
async function converse(
  engine: OnnxEngine,
  sampler: SamplingClient,
  { turns, seed }: { turns: number; seed: number },
): Promise<CallTokens[][]> {
  const calls = Array.from({ length: EPISODES }, (): CallTokens[] => []);
  const opening = engine.tokenizer.encode('Thought: turn left');
  for (let turn = 0; turn < turns; turn++) {
    const requests = calls.map((past, episode): SampleRequest => {
      const last = past.at(-1);
      return {
        prompt: last ? [...last.prompt, ...last.reply, ...told(engine, episode, turn)] : opening,
        seed: hashSeed(seed, episode, turn),
        params: { maxTokens: 8, temperature: 1, stopTokens: engine.stopTokens },
      };
    });
    await Promise.all(
      Array.from({ length: LANES }, async (_, lane) => {
        const own = [...calls.keys()].filter((episode) => episode % LANES === lane);
        const replies = await sampler.sampleBatch(
          own.flatMap((episode) => requests[episode] ?? []),
          lane,
        );
        own.forEach((episode, i) => {
          const { tokens: reply = [], logprobs = [] } = replies[i] ?? {};
          calls[episode]?.push({ call: 'action', prompt: requests[episode]?.prompt ?? [], reply, logprobs });
        });
      }),
    );
  }
  return calls;
}

function dataOf(conversations: readonly CallTokens[][]): Datum[] {
  return rowsToData(
    conversations.flatMap((calls, i) => rowsOf(calls, i % 2 ? 1 : -1)),
    'token-mean',
  );
}

describe('conversations that are kept from turn to turn', () => {
  it('are sampled with the log-probabilities the training graph computes of six turns', async () => {
    await withEngine(async (engine) => {
      const sampler = await engine.training.saveWeightsForSampler();
      const conversations = await converse(engine, sampler, { turns: 6, seed: 1 });
      const data = dataOf(conversations);
      expect(data).toHaveLength(EPISODES);
      const { logprobs } = await engine.training.forwardBackward(data, 'ppo');
      let compared = 0;
      data.forEach(({ lossFnInputs }, i) =>
        lossFnInputs.advantages?.forEach((advantage, t) => {
          if (advantage === 0) return;
          compared++;
          expect(Math.abs((logprobs[i]?.[t] ?? NaN) - (lossFnInputs.logprobs?.[t] ?? NaN))).toBeLessThan(
            1e-4,
          );
        }),
      );
      expect(compared).toBe(conversations.flat().reduce((sum, { reply }) => sum + reply.length, 0));
      // Prompts are computed but for what each lane knows: the opening once, then a reply's last token and what is told.
      const { prefilled, reused, prompt } = sampler.counts();
      const fresh = conversations.flatMap((calls) =>
        calls.slice(1).map((call, i) => {
          const last = calls[i];
          return call.prompt.length - (last ? last.prompt.length + last.reply.length - 1 : NaN);
        }),
      );
      const opening = conversations[0]?.[0]?.prompt.length ?? NaN;
      expect(prefilled).toBe(LANES * opening + fresh.reduce((sum, tokens) => sum + tokens, 0));
      expect(prefilled + reused).toBe(prompt);
    });
  });

  it('fork from an earlier turn where they were sampled: n replies at the price of one token', async () => {
    await withEngine(async (engine) => {
      const sampler = await engine.training.saveWeightsForSampler();
      const conversations = await converse(engine, sampler, { turns: 3, seed: 2 });
      const params = { maxTokens: 6, temperature: 1, stopTokens: engine.stopTokens };
      for (const [, second] of conversations) {
        const prompt = second?.prompt ?? [];
        const before = sampler.counts();
        const forks = await sampler.sample(prompt, 8, params, 5);
        const after = sampler.counts();
        expect(after.prompt - before.prompt).toBe(8 * prompt.length);
        expect(after.prefilled - before.prefilled).toBe(1);
        expect(after.reused - before.reused).toBe(8 * prompt.length - 1);
        expect(new Set(forks.map(({ tokens }) => tokens.join())).size).toBeGreaterThan(1);
      }
    });
  });

  it('are the same to the last bit in a run that is resumed: what is kept ends with its policy version', async () => {
    const saved = join(dir, 'saved');
    const step = async (engine: OnnxEngine, seed: number): Promise<unknown> => {
      const sampler = await engine.training.saveWeightsForSampler();
      const conversations = await converse(engine, sampler, { turns: 4, seed });
      const [prompt = []] = conversations.map(([, second]) => second?.prompt ?? []);
      const params = { maxTokens: 6, temperature: 1, stopTokens: engine.stopTokens };
      const forks: SampledSequence[] = await sampler.sample(prompt, 3, params, seed);
      const output = await engine.training.forwardBackward(dataOf(conversations), 'ppo');
      const update = await engine.training.optimStep(ADAM);
      return { conversations, forks, counts: sampler.counts(), output, update };
    };
    const whole = await withEngine(async (engine) => {
      await step(engine, 1);
      await engine.training.saveState(saved);
      return [await step(engine, 2), await step(engine, 3)];
    });
    const resumed = await withEngine(async (engine) => {
      await engine.training.loadState(saved);
      return [await step(engine, 2), await step(engine, 3)];
    });
    expect(resumed).toEqual(whole);
  });
});
