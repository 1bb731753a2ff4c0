import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METRICS } from '@/contract/metrics';
import { RECIPE_METRICS } from '@/contract/recipe-metrics';
import { RECIPE_IDS, RECIPES, type RecipeEntry, type RecipeId } from '@/contract/recipes/registry';
import type { RecipeEvent } from '@/contract/run-events';
import { prepareRun } from '@/rl/recipes/registry';
import { createEngine } from '../engines/engine';
import { localContext } from './local-context';

/** Metrics of training that a recipe has no meaning for. */
const WITHOUT: Partial<Record<RecipeId, readonly string[]>> = {
  // Its samples share no baseline.
  'turn-judge': ['advantage/degenerate_group_rate'],
  opd: ['advantage/degenerate_group_rate'],
  // It learns from demonstrations, without advantages; a cross-entropy gives neither entropies nor ratios.
  sft: [
    'actor/entropy',
    'actor/sampler_logprob',
    'actor/ppo_kl',
    'actor/clip_fraction',
    'advantage/degenerate_group_rate',
    'advantage/absolute_mean',
  ],
};

let dir: string;

beforeAll(async () => (dir = await mkdtemp(join(tmpdir(), 'stepscope-recipes-'))));
afterAll(() => rm(dir, { recursive: true, force: true }));

/** A recipe's `verify`, with enough groups that some teach and two tasks to be judged on. */
async function verify(recipe: RecipeId): Promise<RecipeEvent[]> {
  const entry: RecipeEntry = RECIPES[recipe];
  const preset = entry.presets.verify;
  if (!preset) throw new Error(`${recipe} has no preset verify`);
  const splits = [{ split: 'valid_seen', tasks: 2 }];
  const { config, events } = prepareRun(recipe, {
    ...preset,
    ...(preset.rollout.groups !== undefined && { rollout: { ...preset.rollout, groups: 4 } }),
    evaluation: { ...preset.evaluation, everySteps: 1, splits, finalSplits: splits, controls: false },
    probe: { tasks: 1, samples: 1 },
  });
  const engine = await createEngine(config.engine);
  const said: RecipeEvent[] = [];
  try {
    for await (const event of events(localContext(engine, () => join(dir, `${recipe}-checkpoint`))))
      said.push(event);
  } finally {
    await engine.close();
  }
  return said;
}

/** Without what a clock decides. */
function timeless(event: RecipeEvent): RecipeEvent {
  if (event.kind === 'evaluation:finished')
    return { ...event, evaluation: { ...event.evaluation, seconds: 0 } };
  if (event.kind !== 'points:measured') return event;
  return { ...event, points: event.points.filter(({ name }) => !name.startsWith('time/')) };
}

/** All that train: an evaluation of an endpoint has one to ask in its own tests. */
const TRAINING = RECIPE_IDS.filter((recipe) => recipe !== 'endpoint-evaluation');

describe.each(TRAINING)('recipe %s', (recipe) => {
  let first: RecipeEvent[];
  let second: RecipeEvent[];
  beforeAll(async () => {
    first = await verify(recipe);
    second = await verify(recipe);
  });

  it('gives every metric that the contract explains, and explains every one that it gives', () => {
    const points = first.flatMap((event) => (event.kind === 'points:measured' ? event.points : []));
    const besideTraining = /^eval\/|^(tokens|cost)\/.*(evaluation|probe|teacher)/;
    const given = new Set(points.map(({ name }) => name).filter((name) => !besideTraining.test(name)));
    const explained = [...METRICS, ...RECIPE_METRICS[recipe]]
      .map(({ name }) => name)
      .filter((name) => !WITHOUT[recipe]?.includes(name));
    expect([...given].sort()).toEqual(explained.sort());
  });

  it('says the same twice, but for times', () => {
    expect(second.map(timeless)).toEqual(first.map(timeless));
    expect(first.at(-1)?.kind).toBe('log:written');
  });
});
