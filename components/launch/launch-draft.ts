import type { FieldIssue } from '@/contract/errors';
import { toFieldIssues } from '@/contract/parse';
import { LaunchRequest, RECIPES, type RecipeEntry } from '@/contract/recipes/registry';
import { valueAtPath, withValue } from './config-path';
import type { FormField, Variant, VariantField } from './form-fields';
import { everyField, shownFields, variantOf, withVariants } from './variants';

/** What the form holds: where values start from and what was typed over them. */
export interface LaunchDraft {
  recipe: RecipeEntry;
  preset: string;
  name: string;
  /** Values before the edits: the preset's, or those of the run that is cloned. */
  base: unknown;
  /** Text typed for each changed path. */
  edits: ReadonlyMap<string, string>;
  /** Text typed for variants that are not chosen now, by URL parameter. */
  kept: ReadonlyMap<string, string>;
  /** What the address names and nothing here has, in words. */
  unknown: readonly string[];
}

const EDIT_PREFIX = 'set.';
const KEPT_PREFIX = 'kept.';

/**
 * Reads `?recipe=&preset=&name=&set.update.learningRate=2e-4`; what names nothing known falls back to the first.
 * `kept.environment.babyai.maxTurns=12` is what was typed for a variant before another was chosen.
 */
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
  const paths = new Set(everyField(fields(recipe)).map((field) => field.path));
  const edits = new Map(
    [...params].flatMap(([name, text]) => {
      const path = name.startsWith(EDIT_PREFIX) ? name.slice(EDIT_PREFIX.length) : null;
      return path !== null && paths.has(path) ? [[path, text] as const] : [];
    }),
  );
  const unknown = [
    ...unknownName('recipe', params, recipe.id),
    ...unknownName('preset', params, preset),
    ...[...params.keys()].flatMap((name) =>
      name.startsWith(EDIT_PREFIX) && !paths.has(name.slice(EDIT_PREFIX.length))
        ? [`setting ${name.slice(EDIT_PREFIX.length)}`]
        : [],
    ),
  ];
  const kept = new Map([...params].filter(([name]) => name.startsWith(KEPT_PREFIX)));
  const fallback = cloned ? `${cloned.name} clone` : `${recipe.id} ${preset}`;
  return { recipe, preset, name: params.get('name') ?? fallback, base, edits, kept, unknown };
}

/** What a parameter names where it is not what was taken. */
function unknownName(parameter: string, params: URLSearchParams, taken: string): string[] {
  const named = params.get(parameter);
  return named === null || named === taken ? [] : [`${parameter} ${named}`];
}

export function editParameter(path: string): string {
  return `${EDIT_PREFIX}${path}`;
}

/** What was typed as the field's value. Text that is no such value stays text, so that the schema refuses it by name. */
export function parseEdit(field: FormField, text: string): unknown {
  if (text === '' && field.empty !== 'text') return field.empty === 'null' ? null : undefined;
  switch (field.kind) {
    case 'number':
      return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
    case 'switch':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'choices':
    case 'rows':
    case 'parts':
      try {
        return JSON.parse(text);
      } catch {
        return text;
      }
    case 'text':
    case 'choice':
    case 'variant':
    case 'optional':
    case 'constant':
      return text;
  }
}

/** A value as the field's control and the URL carry it; null and what is absent are empty. */
export function formatEdit(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Values before the edits, with the chosen variants and optional parts. */
export function draftBase(draft: LaunchDraft, fields: readonly FormField[]): unknown {
  return withVariants(draft.base, fields, draft.edits);
}

/** The whole config as it would be sent. */
export function draftConfig(draft: LaunchDraft, fields: readonly FormField[]): unknown {
  const base = draftBase(draft, fields);
  return shownFields(fields, base).reduce<unknown>((config, field) => {
    const isChosen = field.kind === 'variant' || field.kind === 'optional';
    const text = isChosen ? undefined : draft.edits.get(field.path);
    return text === undefined ? config : withValue(config, field.path, parseEdit(field, text));
  }, base);
}

/**
 * The URL parameters to change so that another variant is chosen: what was typed for the one that is left is set
 * aside, and what was once typed for the chosen one comes back. Null removes a parameter.
 */
export function variantChanges(
  draft: LaunchDraft,
  fields: readonly FormField[],
  field: VariantField,
  id: string,
): Record<string, string | null> {
  const changes: Record<string, string | null> = {};
  const left = variantOf(field, draftBase(draft, fields));
  for (const { path } of left ? everyField(left.fields) : []) {
    const text = draft.edits.get(path);
    if (!left || text === undefined) continue;
    changes[editParameter(path)] = null;
    changes[keptParameter(field, left, path)] = text;
  }
  const entered = field.variants.find((variant) => variant.id === id);
  for (const { path } of entered ? everyField(entered.fields) : []) {
    const text = entered && draft.kept.get(keptParameter(field, entered, path));
    if (!entered || text === undefined) continue;
    changes[editParameter(path)] = text;
    changes[keptParameter(field, entered, path)] = null;
  }
  changes[editParameter(field.path)] = id === valueAtPath(draft.base, field.path) ? null : id;
  return changes;
}

/** `kept.environment.babyai.maxTurns`, for the path `environment.maxTurns`. */
function keptParameter(field: VariantField, variant: Variant, path: string): string {
  return `${KEPT_PREFIX}${field.part}.${variant.id}${path.slice(field.part.length)}`;
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
