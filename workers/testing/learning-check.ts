import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RECIPES, type RecipeEntry, type RecipeId } from '@/contract/recipes/registry';
import type { RunSettings } from '@/contract/recipes/run-settings';
import { prepareRun } from '@/rl/recipes/registry';
import { mcnemarOf, type McNemar } from '@/stats/mcnemar';
import { createEngine } from '../engines/engine';
import { localContext } from '../run/local-context';
import { withSetValues } from '../train/set-values';

export interface LearningCheck {
  recipe: RecipeId;
  preset?: string;
  steps: number;
  seed: number;
  /** Values of settings, `path=value`, over the preset's. */
  values?: readonly string[];
  /** First tasks of valid_seen, played once each before and after, sampled. */
  tasks: number;
}

/** The last checkpoint against checkpoint 0 on the same tasks, after a few steps of a preset. */
export async function learningOf(check: LearningCheck): Promise<McNemar> {
  const { recipe, preset = 'small', values = [], steps, seed, tasks } = check;
  const entry: RecipeEntry = RECIPES[recipe];
  const named = entry.presets[preset];
  if (!named) throw new Error(`${recipe} has no preset ${preset}`);
  const splits: RunSettings['evaluation']['splits'] = [{ split: 'valid_seen', tasks }];
  const { config, events } = prepareRun(recipe, {
    ...withSetValues(named, values),
    steps,
    seed,
    evaluation: {
      ...named.evaluation,
      everySteps: steps,
      splits,
      finalSplits: splits,
      decodings: ['sampled'],
      controls: false,
    },
    probe: { tasks: 0, samples: 1 },
    checkpoint: { everySteps: steps },
  });
  const dir = await mkdtemp(join(tmpdir(), 'stepscope-learning-'));
  const engine = await createEngine({ ...config.engine, seed: config.seed });
  const solved = { before: new Map<string, boolean>(), after: new Map<string, boolean>() };
  try {
    for await (const event of events(localContext(engine, (step) => join(dir, `step-${step}`)))) {
      if (event.kind !== 'trajectory:finished' || event.trajectory.phase !== 'eval') continue;
      const { step, taskId, success } = event.trajectory;
      solved[step === 0 ? 'before' : 'after'].set(taskId, success === true);
    }
  } finally {
    await engine.close();
    await rm(dir, { recursive: true, force: true });
  }
  return mcnemarOf(solved.before, solved.after);
}
