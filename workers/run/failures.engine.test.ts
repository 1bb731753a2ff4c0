import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RecipeEvent } from '@/contract/run-events';
import type { RecipeContext } from '@/rl/recipes/recipe';
import { trainGrpo } from '@/rl/recipes/grpo';
import { createEngine } from '../engines/engine';
import { openEnvironment } from '../environments/open-environment';
import { localContext } from './local-context';
import { tinyConfig, writeTinyBase } from '../testing/tiny-training';

let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'stepscope-failures-'));
  await writeTinyBase(join(dir, 'base'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** A world in which no episode begins. */
const openClosedWorld: RecipeContext['openEnvironment'] = async (config) => {
  const suite = await openEnvironment(config);
  const start = () => Promise.reject(new Error('the world is closed'));
  return { ...suite, environment: { ...suite.environment, start } };
};

it('fails by name after three steps without an episode that was played, and says so of each and of evaluations', async () => {
  const tiny = tinyConfig(join(dir, 'base'));
  const finalSplits = [{ split: 'valid_seen' as const, tasks: 2 }];
  const decodings: ['greedy'] = ['greedy'];
  const config = { ...tiny, evaluation: { ...tiny.evaluation, everySteps: 40, finalSplits, decodings } };
  const engine = await createEngine(config.engine);
  const events: RecipeEvent[] = [];
  const train = async (): Promise<void> => {
    const context = {
      ...localContext(engine, () => join(dir, 'checkpoint')),
      openEnvironment: openClosedWorld,
    };
    for await (const event of trainGrpo(config, context)) events.push(event);
  };
  try {
    await expect(train()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^every episode of 3 steps in a row .*start: the world is closed/),
    });
  } finally {
    await engine.close();
  }
  const said = events.flatMap((event) =>
    event.kind === 'log:written' ? [`${event.level}: ${event.message}`] : [],
  );
  const failed = (count: string, what: string) =>
    `${count} episodes of ${what} ended in an error, the first in environment start: the world is closed`;
  expect(said).toEqual([
    `warn: ${failed('2 of 2', 'the greedy evaluation of valid_seen at step 0')}`,
    ...[1, 2, 3].map((step) => `error: ${failed('4 of 4', `step ${step}`)}`),
  ]);
});
