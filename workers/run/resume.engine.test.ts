import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Engine, SampledSequence } from '@/contract/engine';
import type { GrpoConfig } from '@/contract/recipes/grpo';
import type { RecipeEvent } from '@/contract/run-events';
import { trainGrpo } from '@/rl/recipes/grpo';
import { createEngine } from '../engines/engine';
import { tinyConfig, writeTinyBase } from '../testing/tiny-training';
import { localContext } from './local-context';

const CHECKPOINT_FILES = ['config.json', 'model.safetensors', 'optimizer.safetensors', 'tokenizer.json'];

let dir: string;
let config: GrpoConfig;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'stepscope-resume-'));
  await writeTinyBase(join(dir, 'base'));
  config = tinyConfig(join(dir, 'base'), { steps: 6, checkpoint: { everySteps: 3 } });
});
afterAll(() => rm(dir, { recursive: true, force: true }));

interface Attempt {
  /** All but what measures time, and checkpoints, whose folders and parents differ. */
  events: RecipeEvent[];
  /** What the weights it ended with reply. */
  replies: SampledSequence[];
}

const checkpointDir = (attempt: string, step: number): string => join(dir, attempt, `step-${step}`);

/** One attempt on an engine of its own with one thread; it is stopped at `stopAt` as a shutdown stops it. */
async function runAttempt(
  name: string,
  { stopAt, resumeFrom }: { stopAt?: number; resumeFrom?: { attempt: string; step: number } } = {},
): Promise<Attempt> {
  const engine = await createEngine(config.engine);
  const stop = new AbortController();
  const events: RecipeEvent[] = [];
  try {
    if (resumeFrom) await engine.training.loadState(checkpointDir(resumeFrom.attempt, resumeFrom.step));
    const context = localContext(engine, (step) => checkpointDir(name, step), stop.signal);
    const resumed = resumeFrom ? { step: resumeFrom.step } : null;
    for await (const event of trainGrpo(config, { ...context, resumeFrom: resumed })) {
      if (event.kind === 'step:finished' && event.step === stopAt) stop.abort();
      if (event.kind !== 'checkpoint:written') events.push(withoutTimes(event));
    }
    return { events, replies: await repliesOf(engine) };
  } finally {
    await engine.close();
  }
}

function withoutTimes(event: RecipeEvent): RecipeEvent {
  if (event.kind !== 'points:measured') return event;
  return { ...event, points: event.points.filter(({ name }) => !name.startsWith('time/')) };
}

async function repliesOf(engine: Engine): Promise<SampledSequence[]> {
  const sampler = await engine.training.saveWeightsForSampler();
  const prompt = engine.tokenizer.encodeChat([{ role: 'user', content: 'go to the red ball' }]);
  return sampler.sample(prompt, 8, { maxTokens: 6, temperature: 1, stopTokens: engine.stopTokens }, 1);
}

it('six steps equal three, a stop, and three more of another process, to the last bit: events, weights, moments, replies', async () => {
  const whole = await runAttempt('whole');
  const first = await runAttempt('first', { stopAt: 3 });
  const second = await runAttempt('second', { resumeFrom: { attempt: 'first', step: 3 } });

  expect([...first.events, ...second.events]).toEqual(whole.events);
  expect(whole.events.filter(({ kind }) => kind === 'step:finished')).toHaveLength(6);
  expect(second.replies).toEqual(whole.replies);
  expect(first.replies).not.toEqual(whole.replies);
  for (const file of CHECKPOINT_FILES) {
    const bytes = await readFile(join(checkpointDir('whole', 6), file));
    expect(bytes.equals(await readFile(join(checkpointDir('second', 6), file))), file).toBe(true);
    const isTrained = file === 'model.safetensors' || file === 'optimizer.safetensors';
    expect(bytes.equals(await readFile(join(checkpointDir('first', 3), file))), file).toBe(!isTrained);
  }
});
