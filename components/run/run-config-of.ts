import type { RunDetail } from '@/contract/api';
import { recipeOf } from '@/contract/recipes/requested';
import type { RunSettings } from '@/contract/recipes/run-settings';

/** A run's stored config as this version knows it; null for a recipe or version that it does not. */
export function runConfigOf(detail: Pick<RunDetail, 'run' | 'config'>): RunSettings | null {
  const parsed = recipeOf(detail.run.recipe)?.config.safeParse(detail.config);
  return parsed?.success ? parsed.data : null;
}
