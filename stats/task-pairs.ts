import { AppError } from '@/contract/errors';

/** Counts of tasks by their outcome under a first and a second policy, one trajectory per task and side. */
export interface PairedOutcomes {
  /** Solved by both. */
  both: number;
  /** Failed by the first, solved by the second. */
  gained: number;
  /** Solved by the first, failed by the second. */
  lost: number;
  neither: number;
}

/** Counts the outcomes of the same tasks, given by task id. Throws where the two do not hold the same tasks. */
export function pairOutcomes(
  before: ReadonlyMap<string, boolean>,
  after: ReadonlyMap<string, boolean>,
): PairedOutcomes {
  const outcomes: PairedOutcomes = { both: 0, gained: 0, lost: 0, neither: 0 };
  for (const [solvedBefore, solvedAfter] of pairTasks(before, after)) {
    if (solvedBefore) outcomes[solvedAfter ? 'both' : 'lost']++;
    else outcomes[solvedAfter ? 'gained' : 'neither']++;
  }
  return outcomes;
}

/** Tasks in all. Throws on what is not a count, and without a task. */
export function countTasks({ both, gained, lost, neither }: PairedOutcomes): number {
  checkCounts({ both, gained, lost, neither });
  const n = both + gained + lost + neither;
  if (n === 0) throw new AppError('invalid_input', 'no task was played on both sides');
  return n;
}

/** Throws on what is not a count, by its name. */
export function checkCounts(counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts))
    if (!Number.isSafeInteger(count) || count < 0)
      throw new AppError('invalid_input', `${name} is ${count}; expected a count, 0 or more`);
}

/**
 * Per task the mean of its values after less the mean of those before, in the order of `before`: what is resampled or
 * tested where a task has several trajectories, since only tasks are independent. Values are of any one unit (successes
 * as 0 and 1); the sides may hold different numbers of them. Throws where the two do not hold the same tasks, a task
 * has no value, or a value is not finite.
 */
export function taskDifferences(
  before: ReadonlyMap<string, readonly number[]>,
  after: ReadonlyMap<string, readonly number[]>,
): number[] {
  for (const [id, values] of [...before, ...after]) {
    if (values.length === 0) throw new AppError('invalid_input', `the task ${id} has no trajectory`);
    const bad = values.find((value) => !Number.isFinite(value));
    if (bad !== undefined) throw new AppError('invalid_input', `a value of the task ${id} is ${bad}`);
  }
  return pairTasks(before, after).map(
    ([valuesBefore, valuesAfter]) => meanOf(valuesAfter) - meanOf(valuesBefore),
  );
}

/** Throws where a task was played on one side only: it belongs to no pair and must be counted by the caller. */
function pairTasks<Value>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
): (readonly [Value, Value])[] {
  const unpaired = (id: string) =>
    new AppError('invalid_input', `the task ${id} was played on one side only`);
  const pairs = [...before].map(([id, valueBefore]) => {
    const valueAfter = after.get(id);
    if (valueAfter === undefined) throw unpaired(id);
    return [valueBefore, valueAfter] as const;
  });
  for (const id of after.keys()) if (!before.has(id)) throw unpaired(id);
  return pairs;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
