import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { METRICS } from '@/contract/metrics';
import type { RecipeEvent } from '@/contract/run-events';
import { trainGrpo } from '@/rl/recipes/grpo';
import { createEngine } from '../engines/engine';
import { localContext } from './local-context';
import { tinyConfig, writeTinyBase } from '../testing/tiny-training';

let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'stepscope-metrics-'));
  await writeTinyBase(join(dir, 'base'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

it('gives every metric that the contract explains, and explains every metric that it gives', async () => {
  const tiny = tinyConfig(join(dir, 'base'), { steps: 1 });
  const config = {
    ...tiny,
    evaluation: {
      ...tiny.evaluation,
      everySteps: 1,
      finalSplits: [{ split: 'valid_seen' as const, tasks: 2 }],
    },
  };
  const engine = await createEngine(config.engine);
  const events: RecipeEvent[] = [];
  try {
    const context = localContext(engine, () => join(dir, 'checkpoint'));
    for await (const event of trainGrpo(config, context)) events.push(event);
  } finally {
    await engine.close();
  }
  const names = events.flatMap((event) => (event.kind === 'points:measured' ? event.points : []));
  const given = new Set(names.map(({ name }) => name).filter((name) => !name.startsWith('eval/')));
  expect([...given].sort()).toEqual(METRICS.map(({ name }) => name).sort());
});
