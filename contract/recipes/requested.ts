import type { z } from 'zod';
import { CheckpointEvaluationConfig } from './checkpoint-evaluation';
import { ActionScoresConfig, ForkTurnConfig, PlayConfig } from './requested-work';
import { RECIPES, type RecipeEntry } from './registry';
import type { RunSettings } from './run-settings';

/** A recipe that is asked for from a checkpoint or a trajectory, whose settings fill its config: no form and no presets. */
export interface RequestedRecipe<Config extends RunSettings = RunSettings> {
  id: string;
  title: string;
  config: z.ZodType<Config>;
}

export const REQUESTED_RECIPES = {
  'checkpoint-evaluation': {
    id: 'checkpoint-evaluation',
    title: 'Evaluation of checkpoints',
    config: CheckpointEvaluationConfig,
  } satisfies RequestedRecipe<CheckpointEvaluationConfig>,
  'action-scores': {
    id: 'action-scores',
    title: 'Scores of recorded actions',
    config: ActionScoresConfig,
  } satisfies RequestedRecipe<ActionScoresConfig>,
  'fork-turn': {
    id: 'fork-turn',
    title: 'Continuations from a turn',
    config: ForkTurnConfig,
  } satisfies RequestedRecipe<ForkTurnConfig>,
  play: {
    id: 'play',
    title: 'Play by hand',
    config: PlayConfig,
  } satisfies RequestedRecipe<PlayConfig>,
} as const;
export type RequestedRecipeId = keyof typeof REQUESTED_RECIPES;
export const REQUESTED_RECIPE_IDS = Object.keys(REQUESTED_RECIPES) as RequestedRecipeId[];

/**
 * Recipes whose runs go on from what is stored of them: they have no checkpoint and need none, and what any of their attempts
 * has played counts.
 */
export const RESUMED_FROM_RECORDS: readonly string[] = ['checkpoint-evaluation', 'endpoint-evaluation'];

export function needsCheckpointToContinue(recipe: string): boolean {
  return !RESUMED_FROM_RECORDS.includes(recipe);
}

/** What its runs bear as their preset. */
export const REQUESTED_PRESET = 'requested';

/** The recipe of that id, requested or launched from the form; null where there is none. */
export function recipeOf(id: string): RequestedRecipe | null {
  const all: RequestedRecipe[] = [
    ...Object.values<RecipeEntry>(RECIPES),
    ...Object.values<RequestedRecipe>(REQUESTED_RECIPES),
  ];
  return all.find((recipe) => recipe.id === id) ?? null;
}
