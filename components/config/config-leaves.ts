/** How a source wrote a value. `number`: it does not tell whole numbers from others, as JSON read by JavaScript. */
export type LeafType = 'integer' | 'float' | 'number' | 'text' | 'boolean' | 'null' | 'list' | 'empty';

/** A value of a config under its dotted key. */
export interface Leaf {
  type: LeafType;
  /** As shown. */
  text: string;
  /** Equal for equal values of one type; lists tell the types of their items. */
  canonical: string;
  /** A list whose source does not tell 1 from 1.0 within it. */
  looseNumbers?: true;
}

/** A config as its leaves, in the order of its source. */
export type Leaves = ReadonlyMap<string, Leaf>;

/** Leaves of a config that was parsed from JSON. Lists are leaves. */
export function jsonLeaves(config: unknown): Leaves {
  const leaves = new Map<string, Leaf>();
  collect(config, '', leaves);
  return leaves;
}

function collect(value: unknown, key: string, leaves: Map<string, Leaf>): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const entries = Object.entries(value);
    if (entries.length === 0 && key !== '') leaves.set(key, EMPTY);
    for (const [name, item] of entries) collect(item, key === '' ? name : `${key}.${name}`, leaves);
  } else if (key !== '') leaves.set(key, leafOf(value));
}

/** An object without keys. */
export const EMPTY: Leaf = { type: 'empty', text: '{}', canonical: '{}' };

export const NULL: Leaf = { type: 'null', text: 'null', canonical: 'null' };

function leafOf(value: unknown): Leaf {
  if (value === null || value === undefined) return NULL;
  switch (typeof value) {
    case 'number':
      return { type: 'number', text: String(value), canonical: String(value) };
    case 'boolean':
      return { type: 'boolean', text: String(value), canonical: String(value) };
    case 'string':
      return textLeaf(value);
    default: {
      const text = JSON.stringify(value);
      return { type: 'list', text, canonical: text, looseNumbers: true };
    }
  }
}

export function textLeaf(value: string): Leaf {
  return { type: 'text', text: value, canonical: JSON.stringify(value) };
}
