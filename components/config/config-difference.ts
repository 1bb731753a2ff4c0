import type { Leaf, Leaves } from './config-leaves';

/** One key on both sides; null where a side lacks it. */
export interface ComparedKey {
  key: string;
  a: Leaf | null;
  b: Leaf | null;
  differs: boolean;
  /** It matches a pattern of the ignore list: counted apart. */
  ignored: boolean;
}

export interface ConfigDifference {
  keys: ComparedKey[];
  /** Keys on either side that are not ignored, and those of them that differ. */
  compared: number;
  differing: number;
  /** Keys that differ and are ignored. */
  ignoredDiffering: number;
}

/** Paths, addresses and names of runs: what differs between any two runs and changes nothing. */
export const IGNORED_BY_DEFAULT = [
  '*path',
  '*dir',
  '*folder',
  '*_file',
  '*addr',
  '*url',
  '*host',
  '*port',
  '*run_id',
  '*runId',
  '*experiment_name',
  '*project_name',
] as const;

/**
 * Two configs key by key, in the order of `a`, then what only `b` has. Values of different types differ: 1, "1" and 1.0 are three
 * values, but for a source that does not tell 1 from 1.0. A pattern of the ignore list is a dotted key in which `*` stands for any text.
 */
export function compareConfigs(a: Leaves, b: Leaves, ignore: readonly string[]): ConfigDifference {
  const patterns = ignore.map(patternOf);
  const keys = [...new Set([...a.keys(), ...b.keys()])].map((key): ComparedKey => {
    const left = a.get(key) ?? null;
    const right = b.get(key) ?? null;
    return {
      key,
      a: left,
      b: right,
      differs: !areEqual(left, right),
      ignored: patterns.some((pattern) => pattern.test(key)),
    };
  });
  const compared = keys.filter(({ ignored }) => !ignored);
  return {
    keys,
    compared: compared.length,
    differing: compared.filter(({ differs }) => differs).length,
    ignoredDiffering: keys.filter(({ differs, ignored }) => differs && ignored).length,
  };
}

function patternOf(text: string): RegExp {
  const parts = text.trim().split('*');
  return new RegExp(`^${parts.map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&')).join('.*')}$`);
}

function areEqual(a: Leaf | null, b: Leaf | null): boolean {
  if (a === null || b === null) return a === b;
  if (isNumber(a) && isNumber(b) && (a.type === 'number' || b.type === 'number'))
    return Number(a.canonical) === Number(b.canonical);
  if (a.type !== b.type) return false;
  return a.looseNumbers || b.looseNumbers
    ? withoutNumberForms(a.canonical) === withoutNumberForms(b.canonical)
    : a.canonical === b.canonical;
}

/** A list's JSON with 1.0 written as 1; as it is where it holds what JSON lacks, such as NaN. */
function withoutNumberForms(canonical: string): string {
  try {
    return JSON.stringify(JSON.parse(canonical));
  } catch {
    return canonical;
  }
}

function isNumber({ type }: Leaf): boolean {
  return type === 'integer' || type === 'float' || type === 'number';
}

/** `6 of 533 keys differ`, and how many more where the ignore list hides some. */
export function differenceWords({ differing, compared, ignoredDiffering }: ConfigDifference): string {
  const words = `${differing} of ${compared} keys ${differing === 1 ? 'differs' : 'differ'}`;
  return ignoredDiffering === 0 ? words : `${words}; ${ignoredDiffering} more in ignored keys`;
}
