import { RECIPES, type RecipeEntry } from '@/contract/recipes/registry';
import { CheckpointReference } from '@/contract/checkpoint';

/** What a side of the difference is, as the address names it: `r-0003`, `preset:grpo/demo`, `parent`, `text`. */
export type SideName =
  | { kind: 'run'; runId: string }
  | { kind: 'preset'; recipe: string; preset: string }
  /** Of the run on the other side. */
  | { kind: 'parent' }
  /** Pasted or opened, kept by the page alone. */
  | { kind: 'text' }
  | { kind: 'none' };

export function parseSide(text: string | null): SideName {
  if (text === null || text === '') return { kind: 'none' };
  if (text === 'parent' || text === 'text') return { kind: text };
  const [, recipe, preset] = /^preset:([^/]+)\/(.+)$/.exec(text) ?? [];
  if (recipe !== undefined && preset !== undefined) return { kind: 'preset', recipe, preset };
  return { kind: 'run', runId: text };
}

/** `preset:RECIPE/PRESET` of every preset there is. */
export const PRESET_SIDES: readonly { value: string; title: string }[] = Object.values<RecipeEntry>(
  RECIPES,
).flatMap(({ id, title, presets }) =>
  Object.keys(presets).map((preset) => ({ value: `preset:${id}/${preset}`, title: `${title}, ${preset}` })),
);

/** A preset's values; null where there is no such preset. */
export function presetConfig(recipe: string, preset: string): unknown {
  const entry = Object.values<RecipeEntry>(RECIPES).find(({ id }) => id === recipe);
  return entry && Object.hasOwn(entry.presets, preset) ? entry.presets[preset] : null;
}

/** The run whose checkpoint a config names first, at any depth: what the run goes on from or measures. Null where it names none. */
export function parentOf(config: unknown): string | null {
  const reference = CheckpointReference.safeParse(config);
  if (reference.success) return reference.data.runId;
  if (typeof config !== 'object' || config === null) return null;
  for (const value of Object.values(config)) {
    const found = parentOf(value);
    if (found !== null) return found;
  }
  return null;
}
