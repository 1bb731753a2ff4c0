import type { ComparedEvaluation } from '@/contract/compare';
import { differencesOf, type EvaluationDifference } from '@/contract/evaluation-differences';
import type { EvaluationResult } from '@/contract/evaluation';
import type { Split } from '@/contract/trajectory';

/** Which of a checkpoint's evaluations on a split are taken. */
export interface EvaluationChoice {
  split: Split;
  decoding: EvaluationResult['decoding'];
  /** The baseline's evaluation: one under its settings and with its seed is preferred. */
  like: EvaluationResult | null;
  /** Evaluations of the checkpoints that it is laid beside: settings that some of them share are preferred, and those that most do. */
  beside: readonly (readonly ComparedEvaluation[])[];
}

/** An evaluation that drew what another one drew, by its seed, and the run that made it. */
export interface Repeat {
  seed: number;
  runId: string;
}

export interface ChosenEvaluations {
  /** Of equal settings, each draw of a task once, by ascending seed. */
  chosen: ComparedEvaluation[];
  /** Those that another one repeats, or holds. */
  repeats: Repeat[];
  /** Evaluations on the split under other settings. */
  otherSettings: number;
}

/** Null where the checkpoint was not evaluated on the split. */
export function chooseEvaluations(
  evaluations: readonly ComparedEvaluation[],
  { split, decoding, like, beside }: EvaluationChoice,
): ChosenEvaluations | null {
  const candidates = onSplit(evaluations, split);
  const [best] = bySettings(candidates)
    .map((all) => ({
      all,
      chosen: withoutRepeats(all),
      fit: fitOf(all[0], { split, decoding, like, beside }),
    }))
    .sort(
      (a, b) =>
        b.fit.score - a.fit.score || b.fit.sharedBy - a.fit.sharedBy || b.chosen.length - a.chosen.length,
    );
  if (!best) return null;
  const { all, chosen } = best;
  return {
    chosen,
    repeats: all
      .filter((each) => !chosen.includes(each))
      .map(({ runId, evaluation }) => ({ runId, seed: evaluation.seed ?? 0 })),
    otherSettings: candidates.length - all.length,
  };
}

function onSplit(evaluations: readonly ComparedEvaluation[], split: Split): ComparedEvaluation[] {
  return evaluations.filter(({ evaluation }) => evaluation.split === split && evaluation.n > 0);
}

/** How well the settings of an evaluation suit: the baseline's before all, then what can be compared at all, then the decoding. */
function fitOf(
  example: ComparedEvaluation | undefined,
  { split, decoding, like, beside }: EvaluationChoice,
): { score: number; sharedBy: number } {
  if (!example) return { score: 0, sharedBy: 0 };
  const isAlike = (other: EvaluationResult) => settingDifferences(other, example.evaluation).length === 0;
  const sharedBy = beside.filter((others) =>
    onSplit(others, split).some(({ evaluation }) => isAlike(evaluation)),
  ).length;
  const score =
    (like !== null && isAlike(like) ? 4 : 0) +
    (sharedBy > 0 ? 2 : 0) +
    (example.evaluation.decoding === decoding ? 1 : 0);
  return { score, sharedBy };
}

/** Differences that forbid a comparison: another seed is another draw, and other tasks are counted apart. */
export function settingDifferences(a: EvaluationResult, b: EvaluationResult): EvaluationDifference[] {
  return differencesOf(a, b).filter(({ setting }) => setting !== 'seed' && setting !== 'tasks');
}

/** All of its trajectories are stored. */
export function isWhole({ evaluation, trajectories }: ComparedEvaluation): boolean {
  return trajectories.length === evaluation.n;
}

export function hasSameTasks(a: EvaluationResult, b: EvaluationResult): boolean {
  return a.splitHash === b.splitHash && a.n === b.n;
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
 * The evaluations without those that repeat another one's draws of a task, which would count as further trajectories: an
 * evaluation in training plays the first tasks of those that one on request plays with the same seed.
 */
function withoutRepeats(group: readonly ComparedEvaluation[]): ComparedEvaluation[] {
  let kept: ComparedEvaluation[] = [];
  for (const each of group) {
    const rivals = kept.filter((other) => isRepeat(other, each));
    if (rivals.every((other) => isPreferred(each, other)))
      kept = [...kept.filter((other) => !rivals.includes(other)), each];
  }
  return group.filter((each) => kept.includes(each));
}

/** Of one seed, or greedy, and of the same tasks or some that both played. Without a known seed a sampled one repeats nothing. */
function isRepeat(a: ComparedEvaluation, b: ComparedEvaluation): boolean {
  const isSameDraw =
    a.evaluation.decoding === 'greedy' ||
    (a.evaluation.seed !== null && a.evaluation.seed === b.evaluation.seed);
  if (!isSameDraw) return false;
  if (hasSameTasks(a.evaluation, b.evaluation)) return true;
  const tasks = new Set(a.trajectories.map(({ taskId }) => taskId));
  return b.trajectories.some(({ taskId }) => tasks.has(taskId));
}

/** One with all of its trajectories before others, then the one of more tasks, then the newest: runs are numbered as they were made. */
function isPreferred(a: ComparedEvaluation, b: ComparedEvaluation): boolean {
  if (isWhole(a) !== isWhole(b)) return isWhole(a);
  if (a.evaluation.n !== b.evaluation.n) return a.evaluation.n > b.evaluation.n;
  return a.runId.localeCompare(b.runId, 'en', { numeric: true }) > 0;
}
