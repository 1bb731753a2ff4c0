import type { CachedPrefix, PrefixStore } from './prefix-store';
import type { SampleRow } from './sample-row';

/** Tokens whose computing a prefix of several prompts must save to be worth a pass of its own. */
const WORTH_A_PASS = 64;

/** The rows that continue one prompt. */
export interface PromptGroup {
  prompt: readonly number[];
  /** In the order of the requests. */
  rows: [SampleRow, ...SampleRow[]];
  /** Place of the first row among all requests. */
  place: number;
  /** What is computed of the prompt. */
  known: CachedPrefix;
  /** Logits after the prompt, [V]; null until it is computed. */
  logits: Float32Array | null;
}

/** A beginning that several prompts share and none has computed. */
export interface SharedPrefix {
  /** In the order of the requests. */
  members: [PromptGroup, ...PromptGroup[]];
  length: number;
}

/** Groups rows by equal prompts, each with what is stored of it, shortest prompt first. */
export function groupByPrompt(rows: readonly SampleRow[], store: PrefixStore): PromptGroup[] {
  const groups = new Map<string, PromptGroup>();
  rows.forEach((row, place) => {
    const { prompt } = row.request;
    const key = prompt.join();
    const group = groups.get(key);
    if (group) group.rows.push(row);
    else {
      // The last token is computed in any case: its logits are not stored.
      const known = store.find(prompt, prompt.length - 1);
      groups.set(key, { prompt, rows: [row], place, known, logits: null });
    }
  });
  return [...groups.values()].sort((a, b) => a.prompt.length - b.prompt.length || a.place - b.place);
}

/**
 * The prefixes worth computing before the prompts themselves. Where one leads to another, only the shorter: once it is
 * computed and known to its members, another call finds the next.
 */
export function sharedPrefixes(groups: readonly PromptGroup[]): SharedPrefix[] {
  const sorted = [...groups].sort((a, b) => compareTokens(a.prompt, b.prompt));
  const common = sorted.slice(1).map((group, i) => commonLength(sorted[i]?.prompt ?? [], group.prompt));
  return worthSharing(sorted, common);
}

/** `common[i]` is what the prompts `i` and `i + 1` of `sorted` share. */
function worthSharing(sorted: readonly PromptGroup[], common: readonly number[]): SharedPrefix[] {
  if (sorted.length < 2) return [];
  const length = Math.min(...common);
  const known = Math.max(...sorted.map((group) => group.known.length));
  if ((sorted.length - 1) * (length - known) >= WORTH_A_PASS) {
    const [first, ...rest] = [...sorted].sort((a, b) => a.place - b.place);
    return first ? [{ members: [first, ...rest], length }] : [];
  }
  // Nothing is shared across the places where neighbours have only this much in common.
  const parts: SharedPrefix[] = [];
  let from = 0;
  for (let i = 0; i <= common.length; i++)
    if (i === common.length || common[i] === length) {
      parts.push(...worthSharing(sorted.slice(from, i + 1), common.slice(from, i)));
      from = i + 1;
    }
  return parts;
}

/** Tokens two prompts share before the last token of either. */
function commonLength(a: readonly number[], b: readonly number[]): number {
  const most = Math.min(a.length, b.length) - 1;
  let length = 0;
  while (length < most && a[length] === b[length]) length++;
  return length;
}

function compareTokens(a: readonly number[], b: readonly number[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
