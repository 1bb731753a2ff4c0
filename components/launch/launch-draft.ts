import type { FieldIssue } from '@/contract/errors';
import { toFieldIssues } from '@/contract/parse';
import { LaunchRequest, RECIPES, type RecipeEntry } from '@/contract/recipes/registry';
import { isRecord } from './record';
import type { FormField } from './form-fields';

/** What the form holds: where values start from and what was typed over them. */
export interface LaunchDraft {
  recipe: RecipeEntry;
  preset: string;
  name: string;
  /** Values before the edits: the preset's, or those of the run that is cloned. */
  base: unknown;
  /** Text typed for each changed path. */
  edits: ReadonlyMap<string, string>;
}

const EDIT_PREFIX = 'set.';

/** Reads `?recipe=&preset=&name=&set.update.learningRate=2e-4`; what names nothing known falls back to the first. */
export function readDraft(
  params: URLSearchParams,
  fields: (recipe: RecipeEntry) => readonly FormField[],
  cloned: { recipe: string; preset: string; name: string; config: unknown } | null,
): LaunchDraft {
  const recipes = Object.values<RecipeEntry>(RECIPES);
  const recipe: RecipeEntry =
    recipes.find((each) => each.id === (params.get('recipe') ?? cloned?.recipe)) ?? RECIPES.grpo;
  const named = params.get('preset') ?? cloned?.preset;
  const preset =
    named && Object.hasOwn(recipe.presets, named) ? named : (Object.keys(recipe.presets)[0] ?? '');
  const base = cloned && !params.has('preset') ? cloned.config : recipe.presets[preset];
  const paths = new Set(fields(recipe).map((field) => field.path));
  const edits = new Map(
    [...params].flatMap(([name, text]) => {
      const path = name.startsWith(EDIT_PREFIX) ? name.slice(EDIT_PREFIX.length) : null;
      return path !== null && paths.has(path) ? [[path, text] as const] : [];
    }),
  );
  const fallback = cloned ? `${cloned.name} clone` : `${recipe.id} ${preset}`;
  return { recipe, preset, name: params.get('name') ?? fallback, base, edits };
}

export function editParameter(path: string): string {
  return `${EDIT_PREFIX}${path}`;
}

/** Value at a dotted path; `undefined` where there is none. */
export function valueAtPath(config: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((part, name) => (isRecord(part) ? part[name] : undefined), config);
}

function withValue(config: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const record = isRecord(config) ? config : {};
  return { ...record, [name]: withValue(record[name], rest, value) };
}

/** What was typed as the field's value. Text that is no such value stays text, so that the schema refuses it by name. */
export function parseEdit(field: FormField, text: string): unknown {
  switch (field.kind) {
    case 'number':
      return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
    case 'switch':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'choices':
    case 'rows':
      try {
        return JSON.parse(text);
      } catch {
        return text;
      }
    case 'text':
    case 'choice':
    case 'constant':
      return text;
  }
}

/** A value as the field's control and the URL carry it. */
export function formatEdit(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The whole config as it would be sent. */
export function draftConfig(draft: LaunchDraft, fields: readonly FormField[]): unknown {
  return fields.reduce<unknown>((config, field) => {
    const text = draft.edits.get(field.path);
    return text === undefined ? config : withValue(config, field.path.split('.'), parseEdit(field, text));
  }, draft.base);
}

/** Everything that the server would refuse, by the same schemas; paths are those of a launch's body. */
export function draftIssues(draft: LaunchDraft, config: unknown): FieldIssue[] {
  const request = { name: draft.name, recipe: draft.recipe.id, preset: draft.preset, config };
  const whole = LaunchRequest.safeParse(request);
  const parsed = draft.recipe.config.safeParse(config);
  return [
    ...(whole.success ? [] : toFieldIssues(whole.error)),
    ...(parsed.success ? [] : toFieldIssues(parsed.error, 'config')),
  ];
}

/** The words beside a field: its own issue or the first within it, such as `config.evaluation.splits.0.tasks`. */
export function issueOf(issues: readonly FieldIssue[], path: string): string | undefined {
  const found = issues.find((issue) => issue.path === path || issue.path.startsWith(`${path}.`));
  if (!found) return undefined;
  const within = found.path.slice(path.length + 1);
  return within ? `${within}: ${found.message}` : found.message;
}
