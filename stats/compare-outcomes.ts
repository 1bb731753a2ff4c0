import { bootstrapDifference, bootstrapMean } from './bootstrap';
import { comparisonVerdict, FEWEST_COMPARED, type ComparisonVerdict } from './comparison-verdict';
import { mcnemar } from './mcnemar';
import { newcombe, newcombePValue, type Difference, type Proportion } from './newcombe';
import { pairedNewcombe } from './paired-newcombe';
import type { Random } from './resampling';
import { signFlipTest } from './sign-flip';
import { smallestPairedDifference, smallestUnpairedDifference } from './smallest-difference';
import { taskDifferences } from './task-pairs';

/** Whether each trajectory of a task was won, by task id. */
export type TaskOutcomes = ReadonlyMap<string, readonly boolean[]>;

/** What a policy did on a split: task by task, or a published count whose tasks are not known. */
export type SideOutcomes = { kind: 'tasks'; outcomes: TaskOutcomes } | ({ kind: 'count' } & Proportion);

/** `mcnemar` and `sign_flip` are paired on task id, `newcombe` and `bootstrap` are not. */
export type ComparisonMethod = 'mcnemar' | 'sign_flip' | 'newcombe' | 'bootstrap';

/** Ids of the tasks that were played on both sides, by the share of trajectories won before and after. */
export interface TaskChanges {
  /** Won more often after. */
  gained: string[];
  /** Won more often before. */
  lost: string[];
  /** Always won. */
  both: string[];
  /** Never won. */
  neither: string[];
  /** Won equally often, now and then: only where a task has several trajectories. */
  mixed: string[];
}

/** A second policy against a first. Fractions, not percent. */
export interface OutcomeComparison {
  method: ComparisonMethod;
  /** Tasks compared: those of both sides where paired, else those of the side with fewer. */
  n: number;
  /** The second's success less the first's, with its 95 % interval. */
  difference: Difference;
  /** Two-sided; null where the method gives an interval alone. */
  pValue: number | null;
  /** What the test sees with a power of 80 %; null where no task differs, or every one. */
  smallestDifference: number | null;
  /** Null where unpaired. */
  changes: TaskChanges | null;
  /** Tasks that one side alone has played; empty where its tasks are not known. */
  onlyBefore: string[];
  onlyAfter: string[];
}

/** p-values below it reject that there is no difference. */
const LEVEL = 0.05;

/**
 * Compares by what is known: tasks of both sides are paired on their id, by exact McNemar with one trajectory per task
 * and side, else by the sign-flip test of the tasks' means, with the bootstrap's interval. Where fewer than 30 tasks are
 * shared, or a side is a count, the sides are taken as independent: Newcombe, and the bootstrap of both sides' tasks where a
 * task has several trajectories. Null where a side has no trajectory. `random` is drawn from by sign flips and bootstraps alone.
 */
export function compareOutcomes(
  before: SideOutcomes,
  after: SideOutcomes,
  random: Random,
): OutcomeComparison | null {
  const n = Math.min(taskCount(before), taskCount(after));
  if (n === 0) return null;
  const both = before.kind === 'tasks' && after.kind === 'tasks' ? { before, after } : null;
  const shared = both ? [...both.before.outcomes.keys()].filter((id) => both.after.outcomes.has(id)) : [];
  const onlyBefore = both ? withoutShared(both.before.outcomes, both.after.outcomes) : [];
  const onlyAfter = both ? withoutShared(both.after.outcomes, both.before.outcomes) : [];
  const isPaired = both !== null && (shared.length >= FEWEST_COMPARED || shared.length === n);
  return {
    ...(isPaired
      ? paired(pick(both.before.outcomes, shared), pick(both.after.outcomes, shared), random)
      : unpaired(before, after, n, random)),
    onlyBefore,
    onlyAfter,
  };
}

/**
 * What may be said of a comparison. `pValue` is Holm's where a table holds several comparisons; without one the
 * interval decides.
 */
export function outcomeVerdict(
  comparison: OutcomeComparison,
  pValue: number | null = comparison.pValue,
): ComparisonVerdict {
  const { n, difference, changes, smallestDifference } = comparison;
  return comparisonVerdict({
    n,
    difference: difference.difference,
    paired: changes !== null,
    rejected: pValue === null ? difference.low > 0 || difference.high < 0 : pValue < LEVEL,
    smallestDifference,
    equivalentWithin: null,
  });
}

/** Two counts whose tasks are not known, each of a trajectory or more: unpaired, by Newcombe. */
export function compareCounts(before: Proportion, after: Proportion): OutcomeComparison {
  const n = Math.min(before.n, after.n);
  return { ...countsApart(before, after, n), onlyBefore: [], onlyAfter: [] };
}

type Core = Omit<OutcomeComparison, 'onlyBefore' | 'onlyAfter'>;

function paired(before: TaskOutcomes, after: TaskOutcomes, random: Random): Core {
  const n = before.size;
  const ids = [...before.keys()];
  const differences = taskDifferences(asNumbers(before), asNumbers(after));
  const changes = changesOf(ids, differences, before);
  const { gained, lost, both, neither } = changes;
  const meanSquare = differences.reduce((sum, difference) => sum + difference ** 2, 0) / n;
  const common = {
    n,
    changes,
    smallestDifference: meanSquare > 0 && meanSquare < 1 ? smallestPairedDifference(n, meanSquare) : null,
  };
  if (isSingle(before) && isSingle(after)) {
    const counts = {
      both: both.length,
      gained: gained.length,
      lost: lost.length,
      neither: neither.length,
    };
    const { pValue } = mcnemar(counts.gained, counts.lost);
    return { ...common, method: 'mcnemar', difference: pairedNewcombe(counts), pValue };
  }
  const { pValue } = signFlipTest(differences, random);
  const { estimate, low, high } = bootstrapMean(differences, random);
  return { ...common, method: 'sign_flip', difference: { difference: estimate, low, high }, pValue };
}

function unpaired(before: SideOutcomes, after: SideOutcomes, n: number, random: Random): Core {
  const countBefore = countOf(before);
  const countAfter = countOf(after);
  if (countBefore && countAfter) return countsApart(countBefore, countAfter, n);
  const { estimate, low, high } = bootstrapDifference(taskMeans(after), taskMeans(before), random);
  return {
    method: 'bootstrap',
    n,
    difference: { difference: estimate, low, high },
    pValue: null,
    smallestDifference: smallestUnpairedDifference(n),
    changes: null,
  };
}

function countsApart(before: Proportion, after: Proportion, n: number): Core {
  return {
    method: 'newcombe',
    n,
    difference: newcombe(after, before),
    pValue: newcombePValue(after, before),
    smallestDifference: smallestUnpairedDifference(n),
    changes: null,
  };
}

function changesOf(
  ids: readonly string[],
  differences: readonly number[],
  before: TaskOutcomes,
): TaskChanges {
  const changes: TaskChanges = { gained: [], lost: [], both: [], neither: [], mixed: [] };
  ids.forEach((id, index) => {
    const difference = differences[index] ?? NaN;
    const outcomes = before.get(id) ?? [];
    const kind =
      difference > 0
        ? 'gained'
        : difference < 0
          ? 'lost'
          : outcomes.every(Boolean)
            ? 'both'
            : outcomes.some(Boolean)
              ? 'mixed'
              : 'neither';
    changes[kind].push(id);
  });
  return changes;
}

/** Tasks of a side; of a count its trajectories, which are taken for one a task. */
function taskCount(side: SideOutcomes): number {
  return side.kind === 'tasks' ? side.outcomes.size : side.n;
}

/** Successes of tasks with one trajectory each; null where a task has several, which are not independent. */
function countOf(side: SideOutcomes): Proportion | null {
  if (side.kind === 'count') return side;
  if (!isSingle(side.outcomes)) return null;
  const n = side.outcomes.size;
  return { k: [...side.outcomes.values()].filter(([won]) => won).length, n };
}

/** Share of trajectories won, a task; of a count that many ones and noughts. */
function taskMeans(side: SideOutcomes): number[] {
  if (side.kind === 'count')
    return [...new Array<number>(side.k).fill(1), ...new Array<number>(side.n - side.k).fill(0)];
  return [...side.outcomes.values()].map((won) => won.filter(Boolean).length / won.length);
}

function isSingle(outcomes: TaskOutcomes): boolean {
  return [...outcomes.values()].every((won) => won.length === 1);
}

function asNumbers(outcomes: TaskOutcomes): Map<string, number[]> {
  return new Map([...outcomes].map(([id, won]) => [id, won.map(Number)]));
}

function pick(outcomes: TaskOutcomes, ids: readonly string[]): TaskOutcomes {
  return new Map(ids.map((id) => [id, outcomes.get(id) ?? []]));
}

function withoutShared(outcomes: TaskOutcomes, other: TaskOutcomes): string[] {
  return [...outcomes.keys()].filter((id) => !other.has(id));
}
