import type { ComparedCheckpoint, ComparedEvaluation, ComparedTrajectory } from '@/contract/compare';
import type { EvaluationResult } from '@/contract/evaluation';
import { bootstrapMean, bootstrapRate } from '@/stats/bootstrap';
import { clopperPearson } from '@/stats/clopper-pearson';
import type { SideOutcomes } from '@/stats/compare-outcomes';
import { wilson } from '@/stats/wilson';
import { createRandom } from '@/rl/random';
import { chooseEvaluations, isWhole, type EvaluationChoice, type Repeat } from './chosen-evaluations';

/** Of every bootstrap and sign flip on the page, so that a figure can be had again. */
export const BOOTSTRAP_SEED = 1;

export type IntervalMethod = 'wilson' | 'clopper_pearson';

/** What one checkpoint did on a split, by evaluations that differ by their seed at most. */
export interface Played {
  evaluations: readonly ComparedEvaluation[];
  /** Whether trajectories that ended in an error count, as failures. */
  countsErrors: boolean;
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

/** Null where the checkpoint was not evaluated on the split. */
export function playedBy(
  { evaluations }: Pick<ComparedCheckpoint, 'evaluations'>,
  { countsErrors, ...choice }: EvaluationChoice & { countsErrors: boolean },
): Played | null {
  const best = chooseEvaluations(evaluations, choice);
  if (!best) return null;
  const { chosen, repeats, otherSettings } = best;
  const common = { evaluations: chosen, hidden: hiddenOf(chosen), countsErrors, repeats, otherSettings };
  const whole = chosen.filter(isWhole);
  const [first] = whole;
  if (first)
    return {
      ...common,
      ...countTasks(whole, countsErrors),
      shown: first.evaluation,
      leftOut: chosen.length - whole.length,
    };
  const counted = chosen.find(({ evaluation }) => evaluation.seed === choice.like?.seed) ?? chosen[0];
  if (!counted) return null;
  return {
    ...common,
    ...countAlone(counted, countsErrors),
    shown: counted.evaluation,
    leftOut: chosen.length - 1,
  };
}

type Counted = Pick<
  Played,
  'byTask' | 'outcomes' | 'k' | 'n' | 'tasks' | 'errors' | 'truncated' | 'notStored'
>;

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
