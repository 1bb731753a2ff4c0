/** |actual - expected| <= absolute + relative |expected|. */
export interface Tolerance {
  relative: number;
  absolute: number;
}

/** Where two values first differ. */
export interface Difference {
  /** Dotted, e.g. `datums.0.logprobs.3`. */
  path: string;
  expected: unknown;
  actual: unknown;
}

/** Token ids, indices, counts and masks are right or wrong, however wide the tolerance of a file's measured numbers is. */
const EXACT = new Set([
  'input_tokens',
  'target_tokens',
  'prompt',
  'response',
  'response_mask',
  'mask',
  'kept_indices',
  'kept_rows',
  'kept_group_index',
  'kept_groups_by_remove_constant_reward_groups',
  'selected',
  'step_group',
  'top_k',
  'reward_position',
  'step_nums',
]);

/** The first difference of `actual` from `expected`, null where there is none. What `actual` has beyond that is ignored. */
export function firstDifference(
  expected: unknown,
  actual: unknown,
  tolerance: Tolerance,
  path = '',
): Difference | null {
  const here = { path, expected, actual };
  const wanted = numberOf(expected);
  if (wanted !== null) {
    const got = numberOf(actual);
    return got !== null && isWithin(wanted, got, tolerance) ? null : here;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return here;
    return firstOf(expected.keys(), (key) => [expected[key], actual[key]], tolerance, path);
  }
  if (isRecord(expected)) {
    if (!isRecord(actual)) return here;
    return firstOf(Object.keys(expected), (key) => [expected[key], actual[key]], tolerance, path);
  }
  return Object.is(expected, actual) ? null : here;
}

function firstOf<Key extends string | number>(
  keys: Iterable<Key>,
  pairAt: (key: Key) => [unknown, unknown],
  tolerance: Tolerance,
  path: string,
): Difference | null {
  for (const key of keys) {
    const [expected, actual] = pairAt(key);
    const bound = EXACT.has(String(key)) ? { relative: 0, absolute: 0 } : tolerance;
    const difference = firstDifference(expected, actual, bound, path ? `${path}.${key}` : String(key));
    if (difference) return difference;
  }
  return null;
}

function isWithin(expected: number, actual: number, { relative, absolute }: Tolerance): boolean {
  if (Number.isNaN(expected)) return Number.isNaN(actual);
  if (!Number.isFinite(expected)) return actual === expected;
  return Math.abs(actual - expected) <= absolute + relative * Math.abs(expected);
}

const WRITTEN_AS_TEXT = new Set(['NaN', 'Infinity', '-Infinity']);

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && WRITTEN_AS_TEXT.has(value) ? Number(value) : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
