import type { ComparedCheckpoint, ComparedEvaluation, ComparedTrajectory } from '@/contract/compare';
import { differencesOf, type EvaluationDifference } from '@/contract/evaluation-differences';
import type { EvaluationResult } from '@/contract/evaluation';
import type { Split } from '@/contract/trajectory';
import { bootstrapMean, bootstrapRate } from '@/stats/bootstrap';
import { clopperPearson } from '@/stats/clopper-pearson';
import type { SideOutcomes } from '@/stats/compare-outcomes';
import { wilson } from '@/stats/wilson';
import { createRandom } from '@/rl/random';

/** Of every bootstrap and sign flip on the page, so that a figure can be had again. */
export const BOOTSTRAP_SEED = 1;

export type IntervalMethod = 'wilson' | 'clopper_pearson';

/** What one checkpoint did on a split, by evaluations that differ by their seed at most. */
export interface Played {
  evaluations: readonly ComparedEvaluation[];
  /** The one whose settings are shown, and whose counts where trajectories are not stored. */
  shown: EvaluationResult;
  /** Evaluations of the checkpoint on the split under other settings, which are not counted. */
  otherSettings: number;
  /** Trajectories by task; null where counts alone are known. */
  byTask: ReadonlyMap<string, readonly ComparedTrajectory[]> | null;
  outcomes: SideOutcomes;
  /** Trajectories won, of n. */
  k: number;
  n: number;
  tasks: number;
  /** Null where it was not counted. */
  errors: number | null;
  truncated: number | null;
  /** Trajectories that the evaluations count and that are not stored, which makes them counts alone. */
  notStored: number;
  /** Figures that were marked as saying nothing: the words in their place. */
  hidden: ComparedEvaluation['hidden'];
  /** Evaluations known by counts alone that were left out: one of them is compared. */
  leftOut: number;
  /** Evaluations that another one repeats; they are not counted. */
  repeats: readonly Repeat[];
}

/** An evaluation that drew what another one drew, by its seed, and the run that made it. */
export interface Repeat {
  seed: number;
  runId: string;
}

/** Differences that forbid a comparison: another seed is another draw, and other tasks are counted apart. */
export function settingDifferences(a: EvaluationResult, b: EvaluationResult): EvaluationDifference[] {
  return differencesOf(a, b).filter(({ setting }) => setting !== 'seed' && setting !== 'tasks');
}

/** How a checkpoint's evaluations on a split are chosen and counted. */
export interface PlayedChoice {
  split: Split;
  decoding: EvaluationResult['decoding'];
  countsErrors: boolean;
  /** The baseline's evaluation: one under its settings and with its seed is preferred. */
  like: EvaluationResult | null;
}

/** Null where the checkpoint was not evaluated on the split. */
export function playedBy(
  { evaluations }: Pick<ComparedCheckpoint, 'evaluations'>,
  { split, decoding, countsErrors, like }: PlayedChoice,
): Played | null {
  const candidates = evaluations.filter(({ evaluation }) => evaluation.split === split && evaluation.n > 0);
  const groups = bySettings(candidates);
  const fits = ([first]: ComparedEvaluation[]) =>
    (like !== null && first && settingDifferences(like, first.evaluation).length === 0 ? 2 : 0) +
    (first?.evaluation.decoding === decoding ? 1 : 0);
  const [best] = groups
    .map((all) => ({ all, distinct: withoutRepeats(all) }))
    .sort((a, b) => fits(b.distinct) - fits(a.distinct) || b.distinct.length - a.distinct.length);
  if (!best) return null;
  const { all, distinct: chosen } = best;
  const otherSettings = candidates.length - all.length;
  const repeats = all
    .filter((each) => !chosen.includes(each))
    .map(({ runId, evaluation }) => ({ runId, seed: evaluation.seed ?? 0 }));
  const whole = chosen.filter(({ evaluation, trajectories }) => trajectories.length === evaluation.n);
  const [first] = whole;
  if (first)
    return {
      ...countTasks(whole, countsErrors),
      evaluations: chosen,
      shown: first.evaluation,
      hidden: hiddenOf(chosen),
      otherSettings,
      repeats,
      leftOut: chosen.length - whole.length,
    };
  const counted = chosen.find(({ evaluation }) => evaluation.seed === like?.seed) ?? chosen[0];
  if (!counted) return null;
  return {
    ...countAlone(counted, countsErrors),
    evaluations: chosen,
    shown: counted.evaluation,
    hidden: hiddenOf(chosen),
    otherSettings,
    repeats,
    leftOut: chosen.length - 1,
  };
}

type Counted = Omit<Played, 'evaluations' | 'shown' | 'hidden' | 'otherSettings' | 'repeats' | 'leftOut'>;

/** What is hidden of one of them is hidden of all. */
function hiddenOf(evaluations: readonly ComparedEvaluation[]): Played['hidden'] {
  return Object.fromEntries(evaluations.flatMap(({ hidden }) => Object.entries(hidden)));
}

function countTasks(evaluations: readonly ComparedEvaluation[], countsErrors: boolean): Counted {
  const all = evaluations.flatMap(({ trajectories }) => trajectories);
  const counted = countsErrors ? all : all.filter(({ stopReason }) => stopReason !== 'error');
  const byTask = new Map<string, ComparedTrajectory[]>();
  for (const trajectory of counted) {
    const list = byTask.get(trajectory.taskId);
    if (list) list.push(trajectory);
    else byTask.set(trajectory.taskId, [trajectory]);
  }
  const ended = (...reasons: ComparedTrajectory['stopReason'][]) =>
    all.filter(({ stopReason }) => reasons.includes(stopReason)).length;
  return {
    byTask,
    outcomes: {
      kind: 'tasks',
      outcomes: new Map([...byTask].map(([taskId, list]) => [taskId, list.map(({ success }) => success)])),
    },
    k: counted.filter(({ success }) => success).length,
    n: counted.length,
    tasks: byTask.size,
    errors: ended('error'),
    truncated: ended('turn_limit', 'context_limit'),
    notStored: 0,
  };
}

function countAlone({ evaluation, trajectories }: ComparedEvaluation, countsErrors: boolean): Counted {
  const { successes: k, errors, truncated } = evaluation;
  const n = countsErrors ? evaluation.n : evaluation.n - (errors ?? 0);
  return {
    byTask: null,
    outcomes: { kind: 'count', k, n },
    k,
    n,
    tasks: n,
    errors,
    truncated,
    notStored: trajectories.length === 0 ? 0 : evaluation.n - trajectories.length,
  };
}

/** Evaluations in groups of equal settings, each by ascending seed. */
function bySettings(evaluations: readonly ComparedEvaluation[]): ComparedEvaluation[][] {
  const groups: ComparedEvaluation[][] = [];
  for (const each of evaluations) {
    const group = groups.find(
      ([first]) => first && settingDifferences(first.evaluation, each.evaluation).length === 0,
    );
    if (group) group.push(each);
    else groups.push([each]);
  }
  for (const group of groups) group.sort((a, b) => (a.evaluation.seed ?? 0) - (b.evaluation.seed ?? 0));
  return groups;
}

/**
 * One evaluation for each seed and task list, whose draw its repeats are; of greedy ones one for each task list. One with
 * all of its trajectories is kept before others, then the newest. Without a known seed a sampled one repeats nothing.
 */
function withoutRepeats(group: readonly ComparedEvaluation[]): ComparedEvaluation[] {
  const isWhole = ({ evaluation, trajectories }: ComparedEvaluation) => trajectories.length === evaluation.n;
  const kept: ComparedEvaluation[] = [];
  for (const each of group) {
    const at = kept.findIndex((other) => isRepeat(other.evaluation, each.evaluation));
    const other = kept[at];
    if (!other) kept.push(each);
    else if (isWhole(each) === isWhole(other) ? isNewer(each, other) : isWhole(each)) kept[at] = each;
  }
  return kept;
}

function isRepeat(a: EvaluationResult, b: EvaluationResult): boolean {
  const sameDraw = a.decoding === 'greedy' || (a.seed !== null && a.seed === b.seed);
  return sameDraw && a.splitHash === b.splitHash && a.n === b.n;
}

/** Runs are numbered in the order in which they were made. */
function isNewer(a: ComparedEvaluation, b: ComparedEvaluation): boolean {
  return a.runId.localeCompare(b.runId, 'en', { numeric: true }) > 0;
}

/** A success fraction with its 95 % interval. */
export interface RateEstimate {
  fraction: number;
  low: number;
  high: number;
  method: IntervalMethod | 'bootstrap';
}

/** With one trajectory a task the chosen interval, else the mean over tasks with the bootstrap's. Null without a trajectory. */
export function rateOf(
  { outcomes, k, n, tasks }: Pick<Played, 'outcomes' | 'k' | 'n' | 'tasks'>,
  method: IntervalMethod,
): RateEstimate | null {
  if (n === 0) return null;
  if (outcomes.kind === 'count' || tasks === n) {
    const interval = method === 'wilson' ? wilson(k, n) : clopperPearson(k, n);
    return { fraction: k / n, ...interval, method };
  }
  const means = [...outcomes.outcomes.values()].map((won) => won.filter(Boolean).length / won.length);
  const { estimate, low, high } = bootstrapMean(means, createRandom(BOOTSTRAP_SEED));
  return { fraction: estimate, low, high, method: 'bootstrap' };
}

/** What a checkpoint did besides winning. Means are a trajectory's; null where the source does not state it. */
export interface Behaviour {
  /** Invalid actions over turns; bounds are null where tasks are not known. */
  invalid: { rate: number; low: number | null; high: number | null } | null;
  turnsMean: number | null;
  replyTokensMean: number | null;
}

/** Invalid actions with the bootstrap clustered by task; tasks without a turn have no rate and do not count in it. */
export function behaviourOf(played: Played): Behaviour {
  const { invalid, turnsMean, replyTokensMean } = measuredBehaviour(played);
  return {
    invalid: played.hidden.invalid_action_rate === undefined ? invalid : null,
    turnsMean: played.hidden.turns_mean === undefined ? turnsMean : null,
    replyTokensMean,
  };
}

function measuredBehaviour({ byTask, shown }: Played): Behaviour {
  if (byTask === null) return statedBehaviour(shown);
  const trajectories = [...byTask.values()].flat();
  const sumOf = (list: readonly ComparedTrajectory[], field: 'turns' | 'invalidActions') =>
    list.reduce((sum, trajectory) => sum + trajectory[field], 0);
  const tokens = trajectories.flatMap(({ replyTokens }) => replyTokens ?? []);
  const acted = [...byTask.values()]
    .map((list) => ({ count: sumOf(list, 'invalidActions'), outOf: sumOf(list, 'turns') }))
    .filter(({ outOf }) => outOf > 0);
  const estimate = acted.length > 0 ? bootstrapRate(acted, createRandom(BOOTSTRAP_SEED)) : null;
  return {
    invalid: estimate && { rate: estimate.estimate, low: estimate.low, high: estimate.high },
    turnsMean: meanOf(trajectories.map(({ turns }) => turns)),
    replyTokensMean: meanOf(tokens),
  };
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function statedBehaviour({ invalidActions, turns, n }: EvaluationResult): Behaviour {
  return {
    invalid:
      invalidActions === null || turns === null || turns === 0
        ? null
        : { rate: invalidActions / turns, low: null, high: null },
    turnsMean: turns === null ? null : turns / n,
    replyTokensMean: null,
  };
}
