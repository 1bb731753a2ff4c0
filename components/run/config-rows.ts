/** A leaf of a config: dotted key and value; arrays are leaves. */
export interface ConfigLeaf {
  key: string;
  value: unknown;
}

export interface ChangedSetting {
  key: string;
  /** `undefined` where the preset or the config lacks the key. */
  before: unknown;
  after: unknown;
}

/** Leaves of a config in its own order. */
export function configLeaves(config: unknown, prefix = ''): ConfigLeaf[] {
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    return prefix ? [{ key: prefix, value: config }] : [];
  return Object.entries(config).flatMap(([name, value]) =>
    configLeaves(value, prefix ? `${prefix}.${name}` : name),
  );
}

/** Leaves in the order of a model's, then those it lacks: storage may have sorted the keys of a stored config. */
export function inOrderOf(leaves: readonly ConfigLeaf[], model: unknown): ConfigLeaf[] {
  const order = configLeaves(model).map(({ key }) => key);
  const place = ({ key }: ConfigLeaf) => (order.includes(key) ? order.indexOf(key) : order.length);
  return [...leaves].sort((a, b) => place(a) - place(b));
}

/** A leaf as it is shown and typed: arrays and objects as JSON, text bare. */
export function formatLeaf(value: unknown): string {
  if (value === undefined) return 'absent';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Leaves whose values differ, in the order of `after`, then those that only `before` has. A leaf in whose place the other
 * config has a part with leaves of its own is told by those.
 */
export function changedSettings(before: unknown, after: unknown): ChangedSetting[] {
  const old = new Map(configLeaves(before).map((leaf) => [leaf.key, leaf.value]));
  const now = new Map(configLeaves(after).map((leaf) => [leaf.key, leaf.value]));
  return [...new Set([...now.keys(), ...old.keys()])]
    .map((key) => ({ key, before: old.get(key), after: now.get(key) }))
    .filter(
      ({ key, before: was, after: is }) =>
        JSON.stringify(was) !== JSON.stringify(is) && !isPart(key, old) && !isPart(key, now),
    );
}

function isPart(key: string, leaves: ReadonlyMap<string, unknown>): boolean {
  return [...leaves.keys()].some((other) => other.startsWith(`${key}.`));
}
