import type { Comparison } from '@/contract/compare';
import type { Split } from '@/contract/trajectory';
import { createRandom } from '@/rl/random';
import { compareOutcomes, outcomeVerdict, type SideOutcomes } from '@/stats/compare-outcomes';
import { adjustTogether, type Compared, type CompareTable } from './compare-table';
import { BOOTSTRAP_SEED, rateOf, type IntervalMethod, type Played, type RateEstimate } from './played';

/** Success by task type on one split, a column for each row of the comparison. */
export interface TaskTypes {
  /** What it was worked out of. */
  table: CompareTable;
  split: Split;
  rows: TaskTypeFigures[];
  /** Mean of the types' fractions, each type alike; null where a checkpoint has no types. */
  macro: (number | null)[];
  /** By column, the words where a type has no figure. */
  absent: string[];
  /** Whether p-values are Holm's: of all types and checkpoints together. */
  adjusted: boolean;
}

export interface TaskTypeFigures {
  taskType: string;
  /** In the order of the comparison's rows; null where there is no figure. */
  cells: (TaskTypeCell | null)[];
}

export interface TaskTypeCell {
  /** Trajectories won, of n. */
  k: number;
  n: number;
  tasks: number;
  rate: RateEstimate | null;
  /** Null for the baseline, and where the evaluations themselves were not compared. */
  against: Compared | null;
}

/** Types by name. Yields between figures that take long. */
export function* taskTypesOf(
  table: CompareTable,
  tasks: Comparison['tasks'],
  split: Split,
  { interval, holm }: { interval: IntervalMethod; holm: boolean },
): Generator<undefined, TaskTypes> {
  const typeOf = new Map(tasks.map(({ taskId, taskType }) => [taskId, taskType]));
  const columns = table.rows.map(({ cells }) => {
    const cell = cells.get(split) ?? null;
    // What is hidden as a whole is hidden in its parts.
    return cell?.rate && { cell, outcomes: outcomesByType(cell.played, typeOf) };
  });
  const base = columns[table.rows.findIndex(({ name }) => name === table.baseline?.name)]?.outcomes;
  const names = [...new Set(columns.flatMap((column) => [...(column?.outcomes.keys() ?? [])]))].sort();
  const rows: TaskTypeFigures[] = [];
  for (const taskType of names) {
    const cells = columns.map((column): TaskTypeCell | null => {
      const side = column?.outcomes.get(taskType);
      if (!side) return null;
      const before = base?.get(taskType);
      const isCompared = column?.cell.against?.kind === 'compared';
      return { ...figuresOf(side, interval), against: isCompared && before ? compare(before, side) : null };
    });
    rows.push({ taskType, cells });
    yield;
  }
  const absent = columns.map((column) =>
    column ? (column.outcomes.size > 0 ? 'not played' : 'not stated') : 'not evaluated',
  );
  return {
    table,
    split,
    absent,
    rows,
    macro: columns.map((_, index) => macroOf(rows, index)),
    adjusted: holm && adjust(rows),
  };
}

function outcomesByType(
  { byTask, shown }: Played,
  typeOf: ReadonlyMap<string, string>,
): Map<string, SideOutcomes> {
  if (byTask === null)
    return new Map(
      shown.byTaskType
        .filter(({ n }) => n > 0)
        .map(({ taskType, successes, n }) => [taskType, { kind: 'count', k: successes, n }]),
    );
  const byType = new Map<string, Map<string, boolean[]>>();
  for (const [taskId, trajectories] of byTask) {
    const taskType = typeOf.get(taskId) ?? '';
    const outcomes = byType.get(taskType) ?? new Map<string, boolean[]>();
    outcomes.set(
      taskId,
      trajectories.map(({ success }) => success),
    );
    byType.set(taskType, outcomes);
  }
  return new Map([...byType].map(([taskType, outcomes]) => [taskType, { kind: 'tasks', outcomes }]));
}

function figuresOf(side: SideOutcomes, interval: IntervalMethod): Omit<TaskTypeCell, 'against'> {
  if (side.kind === 'count') {
    const { k, n } = side;
    return { k, n, tasks: n, rate: rateOf({ outcomes: side, k, n, tasks: n }, interval) };
  }
  const won = [...side.outcomes.values()].flat();
  const [k, n, tasks] = [won.filter(Boolean).length, won.length, side.outcomes.size];
  return { k, n, tasks, rate: rateOf({ outcomes: side, k, n, tasks }, interval) };
}

function compare(before: SideOutcomes, after: SideOutcomes): TaskTypeCell['against'] {
  const comparison = compareOutcomes(before, after, createRandom(BOOTSTRAP_SEED));
  if (!comparison) return null;
  const { pValue } = comparison;
  return { kind: 'compared', comparison, verdict: outcomeVerdict(comparison), pValue, differences: [] };
}

function macroOf(rows: readonly TaskTypeFigures[], column: number): number | null {
  const fractions = rows.flatMap(({ cells }) => cells[column]?.rate?.fraction ?? []);
  return fractions.length === 0
    ? null
    : fractions.reduce((sum, fraction) => sum + fraction, 0) / fractions.length;
}

function adjust(rows: readonly TaskTypeFigures[]): boolean {
  return adjustTogether(rows.flatMap(({ cells }) => cells.flatMap((cell) => cell?.against ?? [])));
}
