import type { RequestedRun } from '@/contract/action-scores';
import type { CheckpointReference } from '@/contract/checkpoint';
import { parseOrThrow } from '@/contract/parse';
import { REQUESTED_PRESET, REQUESTED_RECIPES, type RequestedRecipeId } from '@/contract/recipes/requested';
import type { RequestedRecipe } from '@/contract/recipes/requested';
import type { RunSettings } from '@/contract/recipes/run-settings';
import { RunStatus } from '@/contract/run';
import type { Database } from '../database';
import { launchRun } from '../runs/commands';

/** The settings of a run that works on one checkpoint and trains nothing. */
export function settingsOfWork(source: RunSettings, checkpoint: CheckpointReference) {
  return {
    ...source,
    steps: 1,
    evaluation: { ...source.evaluation, everySteps: 0, splits: [], finalSplits: [], controls: false },
    probe: { tasks: 0, samples: 1 },
    rules: null,
    checkpoints: [checkpoint],
  };
}

/** Queues a run of a requested recipe. Throws `invalid_input` where its config is not one of the recipe's. */
export async function launchRequested(
  database: Database,
  id: RequestedRecipeId,
  name: string,
  config: unknown,
): Promise<{ runId: string }> {
  const recipe: RequestedRecipe = REQUESTED_RECIPES[id];
  const parsed = parseOrThrow(recipe.config, config, 'config', 'config');
  return launchRun(database, { name, recipe: id, preset: REQUESTED_PRESET, config: parsed }, 'evaluation');
}

/** A run that was asked for, before its columns are the contract's. */
export interface RequestedRow<Config> {
  id: string;
  status: string;
  reason: string | null;
  config: Config;
}

export function toRequestedRun(
  { id, status, reason }: Omit<RequestedRow<unknown>, 'config'>,
  checkpoint: CheckpointReference,
): RequestedRun {
  return { runId: id, status: RunStatus.parse(status), reason, checkpoint };
}
