import {
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { AppError } from '@/contract/errors';
import { EMPTY, NULL, textLeaf, type Leaf, type Leaves } from './config-leaves';

/** UTF-16 code units of a config. */
const MAX_LENGTH = 400_000;
const MAX_LEAVES = 20_000;
const MAX_ALIASES = 100;
const MAX_DEPTH = 50;

/**
 * Leaves of a Hydra config in YAML (JSON is YAML too), or of its `overrides.yaml`, a list of `key=value`. Interpolations stay as they
 * are written. The source tells 1, 1.0 and "1" apart, and so do the leaves. Throws `invalid_input` naming the line of what is no
 * YAML, of a key that is there twice (also with dots in one place and nested in another), of a second document, or of what grows
 * beyond its bounds through aliases.
 */
export function yamlLeaves(source: string): Leaves {
  if (source.length > MAX_LENGTH)
    throw new AppError(
      'invalid_input',
      `the text has ${source.length} characters, at most ${MAX_LENGTH} are read`,
    );
  const lines = new LineCounter();
  const document = parse(source, lines);
  const [error] = document.errors;
  if (error)
    throw new AppError('invalid_input', `line ${lines.linePos(error.pos[0]).line}: ${error.message}`);
  const reader = new LeafReader(document, lines);
  const root: unknown = document.contents;
  if (isSeq(root)) reader.readOverrides(root.items);
  else if (isMap(root)) reader.read(root, '', 0);
  else
    throw new AppError('invalid_input', 'line 1: expected keys with values, such as trainer.save_freq: 10');
  return reader.leaves;
}

/** Whole numbers of any size keep their digits. Keys are compared as they are read: the parser compares each with each. */
function parse(source: string, lineCounter?: LineCounter): Document {
  try {
    return parseDocument(source, {
      intAsBigInt: true,
      uniqueKeys: false,
      // At `silent` a second document is dropped without an error.
      logLevel: 'error',
      prettyErrors: false,
      ...(lineCounter && { lineCounter }),
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new AppError('invalid_input', `the text is nested deeper than ${MAX_DEPTH} levels`);
  }
}

interface Entry {
  name: string;
  value: unknown;
}

class LeafReader {
  readonly leaves = new Map<string, Leaf>();
  private aliases = 0;

  constructor(
    private readonly document: Document,
    private readonly lines: LineCounter,
  ) {}

  read(node: unknown, key: string, depth: number): void {
    const resolved = this.resolve(node, depth);
    if (!isMap(resolved)) {
      this.add(key, this.leafOf(resolved, depth), node);
      return;
    }
    const entries = this.entriesOf(resolved, depth);
    if (entries.length === 0 && key !== '') this.add(key, EMPTY, node);
    for (const { name, value } of entries) this.read(value, key === '' ? name : `${key}.${name}`, depth + 1);
  }

  /** A map's own keys, then those that only a map merged into it has; of several merged in the first one's. */
  private entriesOf(map: YAMLMap, depth: number): Entry[] {
    const own = map.items.map(({ key, value }) => ({ name: nameOf(key), value, key }));
    const entries = new Map<string, Entry>();
    for (const { name, value, key } of own) {
      if (name === '<<') continue;
      if (entries.has(name)) throw this.refusal(key, `${name} is there twice: keys must be unique`);
      entries.set(name, { name, value });
    }
    for (const { name, value } of own) {
      if (name !== '<<') continue;
      for (const entry of this.mergedEntries(value, depth + 1))
        if (!entries.has(entry.name)) entries.set(entry.name, entry);
    }
    return [...entries.values()];
  }

  private mergedEntries(value: unknown, depth: number): Entry[] {
    const resolved = this.resolve(value, depth);
    if (isSeq(resolved)) return resolved.items.flatMap((item) => this.mergedEntries(item, depth + 1));
    if (isMap(resolved)) return this.entriesOf(resolved, depth);
    throw this.refusal(value, 'expected a map, or a list of maps, to merge in with <<');
  }

  /** `trainer.save_freq=10`, `+new.key=x`; `~gone` sets nothing. */
  readOverrides(items: readonly unknown[]): void {
    for (const item of items) {
      const text = nameOf(item);
      const [, key, value] = /^\+{0,2}([\w./@-]+)=([\s\S]*)$/.exec(text) ?? [];
      if (key !== undefined && value !== undefined) {
        const parsed = parse(value);
        // The last override of a key counts.
        this.leaves.delete(key);
        this.add(key, parsed.errors.length > 0 ? textLeaf(value) : this.leafOf(parsed.contents, 0), item);
      } else if (!text.startsWith('~'))
        throw this.refusal(item, `expected key=value, got ${text.slice(0, 60)}`);
    }
  }

  private add(key: string, leaf: Leaf, node: unknown): void {
    if (this.leaves.has(key)) throw this.refusal(node, `${key} is set twice: keys must be unique`);
    this.leaves.set(key, leaf);
    if (this.leaves.size > MAX_LEAVES)
      throw this.refusal(node, `the config has more than ${MAX_LEAVES} keys`);
  }

  /** What an alias stands for, other nodes as they are. */
  private resolve(node: unknown, depth: number): unknown {
    if (depth > MAX_DEPTH) throw this.refusal(node, `nested deeper than ${MAX_DEPTH} levels`);
    if (!isAlias(node)) return node;
    if (++this.aliases > MAX_ALIASES)
      throw this.refusal(node, `more than ${MAX_ALIASES} aliases are followed`);
    return node.resolve(this.document);
  }

  private leafOf(node: unknown, depth: number): Leaf {
    if (isScalar(node)) return scalarLeaf(node);
    if (!isSeq(node) && !isMap(node)) return NULL;
    const { text, canonical } = this.written(node, depth);
    return { type: 'list', text, canonical };
  }

  /** A list, or a map within one, as JSON in which numbers keep the form that they were written in. */
  private written(node: unknown, depth: number): Pick<Leaf, 'text' | 'canonical'> {
    const resolved = this.resolve(node, depth);
    if (isSeq(resolved)) {
      const items = resolved.items.map((item) => this.written(item, depth + 1));
      return { text: `[${join(items, 'text')}]`, canonical: `[${join(items, 'canonical')}]` };
    }
    if (isMap(resolved)) {
      const items = resolved.items.map(({ key, value }) => {
        const name = JSON.stringify(nameOf(key));
        const { text, canonical } = this.written(value, depth + 1);
        return { text: `${name}:${text}`, canonical: `${name}:${canonical}` };
      });
      return { text: `{${join(items, 'text')}}`, canonical: `{${join(items, 'canonical')}}` };
    }
    const leaf = isScalar(resolved) ? scalarLeaf(resolved) : NULL;
    return { text: leaf.type === 'text' ? leaf.canonical : leaf.text, canonical: leaf.canonical };
  }

  private refusal(node: unknown, message: string): AppError {
    const start = (isNode(node) ? node.range?.[0] : undefined) ?? 0;
    return new AppError('invalid_input', `line ${this.lines.linePos(start).line}: ${message}`);
  }
}

function join(items: readonly Pick<Leaf, 'text' | 'canonical'>[], part: 'text' | 'canonical'): string {
  return items.map((item) => item[part]).join(',');
}

function nameOf(node: unknown): string {
  if (isPair(node)) return String(node.key);
  return isScalar(node) ? String(node.value) : String(node);
}

/** By its source 1 and 1.0 are told apart. */
function scalarLeaf({ value, source, tag }: Scalar): Leaf {
  switch (typeof value) {
    case 'number':
    case 'bigint': {
      const isWhole = /^[+-]?(?:\d+|0x[\da-f]+|0o[0-7]+)$/i.test(source ?? String(value));
      return {
        type: isWhole ? 'integer' : 'float',
        text: source ?? String(value),
        canonical: canonicalNumber(value, isWhole),
      };
    }
    case 'boolean':
      return { type: 'boolean', text: String(value), canonical: String(value) };
    case 'string':
      return textLeaf(value);
    default:
      // Bytes and whatever else a tag makes: as they are written.
      return value === null ? NULL : textLeaf(`${tag ?? ''} ${source ?? String(value)}`.trim());
  }
}

/** `1` for whole numbers, `1.0` for others: lists are compared by this text. */
function canonicalNumber(value: number | bigint, isWhole: boolean): string {
  const text = String(value);
  return isWhole || /[.eIN]/.test(text) ? text : `${text}.0`;
}
