import type { EvaluationRow } from '@/contract/api';
import type { EvaluationResult, Policy, TaskTypeCount } from '@/contract/evaluation';
import { SPLITS, type Split } from '@/contract/trajectory';
import { wilson } from '@/stats/wilson';

export type Decoding = EvaluationResult['decoding'];
export const DECODINGS = ['sampled', 'greedy'] as const satisfies readonly Decoding[];

/** A rate with its Wilson 95 % bounds, all fractions. */
export interface EvaluationPoint {
  step: number;
  successes: number;
  n: number;
  rate: number;
  low: number;
  high: number;
}

/** The newest attempt's evaluations of the run's own checkpoints, by ascending step. */
export function checkpointEvaluations(
  rows: readonly EvaluationRow[],
  split: Split,
  decoding: Decoding,
): EvaluationResult[] {
  return rows
    .filter((row) => row.current)
    .map((row) => row.evaluation)
    .filter(
      (evaluation) =>
        evaluation.policy === 'checkpoint' &&
        evaluation.split === split &&
        evaluation.decoding === decoding &&
        evaluation.n > 0,
    )
    .sort((a, b) => a.step - b.step);
}

export function evaluationPoints(
  rows: readonly EvaluationRow[],
  split: Split,
  decoding: Decoding,
): EvaluationPoint[] {
  return checkpointEvaluations(rows, split, decoding).map(({ step, successes, n }) => {
    const { low, high } = wilson(successes, n);
    return { step, successes, n, rate: successes / n, low, high };
  });
}

/** Splits that some policy was evaluated on, in the order of the contract. */
export function evaluatedSplits(rows: readonly EvaluationRow[]): Split[] {
  return SPLITS.filter((split) => rows.some((row) => row.current && row.evaluation.split === split));
}

/** Steps at which the run's own checkpoints were evaluated, ascending. */
export function evaluatedSteps(rows: readonly EvaluationRow[]): number[] {
  const own = rows.filter((row) => row.current && row.evaluation.policy === 'checkpoint');
  return [...new Set(own.map((row) => row.evaluation.step))].sort((a, b) => a - b);
}

/** The controls on a split, in the order given; where a control has both decodings, sampled comes first. */
export function controlEvaluations(
  rows: readonly EvaluationRow[],
  split: Split,
  policies: readonly Policy[],
): EvaluationResult[] {
  const order = (evaluation: EvaluationResult) =>
    policies.indexOf(evaluation.policy) * 2 + DECODINGS.indexOf(evaluation.decoding);
  return rows
    .filter((row) => row.current && row.evaluation.split === split && row.evaluation.n > 0)
    .map((row) => row.evaluation)
    .filter((evaluation) => policies.includes(evaluation.policy))
    .sort((a, b) => order(a) - order(b));
}

/**
 * The masked base that a checkpoint's evaluation is read against: same split, same decoding. Null where that was
 * not measured: a rate is not compared with one under another decoding.
 */
export function maskedBaseFor(
  rows: readonly EvaluationRow[],
  evaluation: EvaluationResult,
): EvaluationResult | null {
  return (
    controlEvaluations(rows, evaluation.split, ['masked_base']).find(
      (control) => control.decoding === evaluation.decoding,
    ) ?? null
  );
}

/** The run's evaluation of step 0 and its newest after it; null where there is none. */
export function firstAndLatest(
  rows: readonly EvaluationRow[],
  split: Split,
  decoding: Decoding,
): { first: EvaluationResult | null; latest: EvaluationResult | null } {
  const own = checkpointEvaluations(rows, split, decoding);
  return {
    first: own.find((evaluation) => evaluation.step === 0) ?? null,
    latest: own.findLast((evaluation) => evaluation.step > 0) ?? null,
  };
}

export interface TaskTypeRow {
  taskType: string;
  first: TaskTypeCount | null;
  latest: TaskTypeCount | null;
}

/** Task types of two evaluations side by side, by name. */
export function taskTypeRows(first: EvaluationResult | null, latest: EvaluationResult | null): TaskTypeRow[] {
  const find = (evaluation: EvaluationResult | null, taskType: string) =>
    evaluation?.byTaskType.find((count) => count.taskType === taskType) ?? null;
  const names = [first, latest].flatMap((evaluation) => evaluation?.byTaskType.map((c) => c.taskType) ?? []);
  return [...new Set(names)]
    .sort()
    .map((taskType) => ({ taskType, first: find(first, taskType), latest: find(latest, taskType) }));
}
