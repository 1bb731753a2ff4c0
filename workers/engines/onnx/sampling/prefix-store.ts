/** Consecutive positions of a sequence; those before them are its parents'. */
interface Segment {
  readonly parent: Segment | null;
  /** Position of the first token. */
  readonly start: number;
  readonly tokens: readonly number[];
  /** Keys and values of the tokens, [2 L KV, tokens, hd]. */
  readonly values: Float32Array;
  /** Segments that leave this one, or follow its end, by the place and the token they begin with. */
  readonly branches: Map<string, Segment>;
}

/** The first `length` tokens of a sequence whose keys and values are computed. Outlives its place in the store. */
export interface CachedPrefix {
  readonly segment: Segment;
  readonly length: number;
}

/**
 * Keys and values of the sequences computed so far, as a tree: sequences share the segments of their common beginning, and
 * a branch may leave a segment at any token, so that nothing stored is ever copied or split. Beyond `maxBytes` the least
 * recently used segments go, the ends of sequences before their beginnings.
 */
export class PrefixStore {
  private readonly root: Segment = newSegment(null, 0, [], new Float32Array());
  /** Least recently used first; a segment comes before the ones it continues. */
  private readonly stored = new Set<Segment>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** The longest stored beginning of `tokens`, of at most `maxLength` tokens. */
  find(tokens: readonly number[], maxLength: number): CachedPrefix {
    const found = follow({ segment: this.root, length: 0 }, tokens, maxLength);
    this.use(found.segment);
    return found;
  }

  /**
   * The prefix that goes on from `prefix` with `tokens`. What is not stored yet is read by `read(first)`: keys and values
   * of `tokens` from index `first` on, [2 L KV, tokens - first, hd].
   */
  extend(
    prefix: CachedPrefix,
    tokens: readonly number[],
    read: (first: number) => Float32Array,
  ): CachedPrefix {
    const length = prefix.length + tokens.length;
    const known = follow(prefix, tokens, tokens.length);
    if (known.length === length) {
      this.use(known.segment);
      return known;
    }
    const first = known.length - prefix.length;
    const segment = newSegment(known.segment, known.length, tokens.slice(first), read(first));
    this.store(segment);
    return { segment, length };
  }

  clear(): void {
    this.root.branches.clear();
    this.stored.clear();
    this.bytes = 0;
  }

  /** Keeps a segment where what it continues is kept, and drops what that leaves no room for. */
  private store(segment: Segment): void {
    const { parent, values } = segment;
    if (!parent || (parent !== this.root && !this.stored.has(parent)) || values.byteLength > this.maxBytes)
      return;
    parent.branches.set(branchKey(segment.start, segment.tokens[0]), segment);
    this.stored.add(segment);
    this.bytes += values.byteLength;
    this.use(segment);
    for (const oldest of this.stored) {
      if (this.bytes <= this.maxBytes) return;
      this.stored.delete(oldest);
      this.bytes -= oldest.values.byteLength;
      oldest.parent?.branches.delete(branchKey(oldest.start, oldest.tokens[0]));
    }
  }

  private use(segment: Segment): void {
    for (let used: Segment | null = segment; used; used = used.parent)
      if (this.stored.delete(used)) this.stored.add(used);
  }
}

/** The segments' parts that make up a prefix, last first: `count` positions from `start`, of `stride` in `values`. */
export function* partsOf({ segment, length }: CachedPrefix): Generator<{
  start: number;
  count: number;
  stride: number;
  values: Float32Array;
}> {
  let end = length;
  for (let part: Segment | null = segment; part; part = part.parent) {
    const { start, tokens, values } = part;
    yield { start, count: end - start, stride: tokens.length, values };
    end = start;
  }
}

function newSegment(
  parent: Segment | null,
  start: number,
  tokens: readonly number[],
  values: Float32Array,
): Segment {
  return { parent, start, tokens, values, branches: new Map() };
}

function branchKey(position: number, token: number | undefined): string {
  return `${position}:${token}`;
}

/** The longest prefix reached from `prefix` by the first `maxCount` of `tokens`. */
function follow(
  { segment, length }: CachedPrefix,
  tokens: readonly number[],
  maxCount: number,
): CachedPrefix {
  const count = Math.min(maxCount, tokens.length);
  for (let index = 0; index < count; index++) {
    const token = tokens[index];
    if (segment.tokens[length - segment.start] !== token) {
      const branch = segment.branches.get(branchKey(length, token));
      if (!branch) break;
      segment = branch;
    }
    length++;
  }
  return { segment, length };
}
