import type { RecipeId } from '@/contract/recipes/registry';
import type { GrpoConfig } from '@/contract/recipes/grpo';
import { trainGrpo } from './grpo';
import type { RecipeProgram } from './recipe';

/** The program of each recipe of the contract. */
export const RECIPE_PROGRAMS: Record<RecipeId, RecipeProgram<GrpoConfig>> = {
  grpo: trainGrpo,
};
