import { ENVIRONMENTS } from '@/contract/environments/registry';
import { AppError } from '@/contract/errors';
import { SCAFFOLDS } from '@/contract/scaffolds';

/** Settings whose `id` says which others there are, with those of each id. */
const VARIANTS: Readonly<Record<string, Readonly<Record<string, { defaults: object }>>>> = {
  environment: ENVIRONMENTS,
  scaffold: SCAFFOLDS,
};

/**
 * A copy of `config` with settings replaced, each given as `path.to.key=value`. A value is read as JSON where it
 * is JSON and as text otherwise; array items are named by index. Another `environment.id` or `scaffold.id` brings the
 * defaults of what it names. The caller parses the result by its schema.
 * Throws `invalid_input` naming a path that is not a setting and what stands beside it.
 */
export function withSetValues(config: object, assignments: readonly string[]): object {
  const copy = structuredClone(config);
  for (const assignment of assignments) {
    const equals = assignment.indexOf('=');
    if (equals <= 0) throw new AppError('invalid_input', `--set ${assignment}: expected path.to.key=value`);
    setValue(copy, assignment.slice(0, equals), readValue(assignment.slice(equals + 1)));
  }
  return copy;
}

function setValue(config: object, path: string, value: unknown): void {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let parent: unknown = config;
  const parents: string[] = [];
  for (const key of keys) {
    parent = settingOf(parent, key, path, parents);
    parents.push(key);
  }
  settingOf(parent, last, path, parents);
  const variant = last === 'id' ? variantOf(parents, value) : undefined;
  if (variant) Reflect.set(config, parents.join('.'), structuredClone(variant.defaults));
  else Reflect.set(Object(parent), last, value);
}

function variantOf(parents: readonly string[], id: unknown): { defaults: object } | undefined {
  const variants = VARIANTS[parents.join('.')];
  return variants && typeof id === 'string' && Object.hasOwn(variants, id) ? variants[id] : undefined;
}

/** The setting `key` of `parent`; only settings the preset has can be named, so a typing error never passes. */
function settingOf(parent: unknown, key: string, path: string, parents: string[]): unknown {
  if (typeof parent === 'object' && parent !== null && Object.hasOwn(parent, key) && key !== 'length')
    return Reflect.get(parent, key);
  const where = parents.length ? parents.join('.') : 'the config';
  const valid =
    typeof parent === 'object' && parent !== null
      ? `${where} has ${Object.keys(parent).join(', ') || 'no items'}`
      : `${where} is a value without settings`;
  throw new AppError('invalid_input', `--set ${path}: no such setting; ${valid}`, [
    { path: `config.${path}`, message: valid },
  ]);
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
