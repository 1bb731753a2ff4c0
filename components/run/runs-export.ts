import type { ListedRun } from '@/contract/run-list';
import { formatReward, formatRate, MISSING } from '@/contract/format';
import type { EvaluationFigure } from '@/contract/api';
import { wilson } from '@/stats/wilson';
import type { ExportTable, ExportValue } from '@/components/export/table-formats';

/** The rows that were read of the list, with its filters and how many match them. */
export function exportRuns(
  runs: readonly ListedRun[],
  { matching, filters }: { matching: number; filters: ExportTable['filters'] },
): ExportTable {
  return {
    title: 'Runs',
    filters: [...filters, { name: 'rows', value: `${runs.length} of ${matching} that match` }],
    columns: [
      { title: 'Run' },
      { title: 'Status' },
      { title: 'Recipe' },
      { title: 'Environment' },
      { title: 'Seed', numeric: true },
      { title: 'Step', numeric: true },
      { title: 'Reward', numeric: true },
      { title: 'Last success, valid_seen, k/n, % [95%]', numeric: true },
      { title: 'Best success, valid_seen, at step', numeric: true },
    ],
    rows: runs.map((run) => ({
      cells: [
        run.name,
        run.status,
        `${run.recipe}, ${run.preset}`,
        run.environment ?? MISSING,
        String(run.seed ?? MISSING),
        `${run.step}/${run.steps ?? MISSING}`,
        formatReward(run.rewardMean),
        figureWords(run.lastEvaluation),
        run.bestEvaluation ? `${figureWords(run.bestEvaluation)} at ${run.bestEvaluation.step}` : MISSING,
      ],
      values: {
        run: run.id,
        name: run.name,
        kind: run.kind,
        status: run.status,
        reason: run.reason,
        recipe: run.recipe,
        preset: run.preset,
        environment: run.environment,
        seed: run.seed,
        attempt: run.attempt,
        step: run.step,
        steps: run.steps,
        reward_mean: run.rewardMean,
        ...figureValues('last', run.lastEvaluation),
        ...figureValues('best', run.bestEvaluation),
        worker: run.workerName,
        created_at_ms: run.createdAt,
        started_at_ms: run.startedAt,
        finished_at_ms: run.finishedAt,
      },
    })),
  };
}

function figureWords(figure: EvaluationFigure | null): string {
  return figure ? formatRate(figure.successes, figure.n, wilson(figure.successes, figure.n)) : MISSING;
}

function figureValues(which: 'last' | 'best', figure: EvaluationFigure | null): Record<string, ExportValue> {
  return {
    [`${which}_step`]: figure?.step ?? null,
    [`${which}_split`]: figure?.split ?? null,
    [`${which}_k`]: figure?.successes ?? null,
    [`${which}_n`]: figure?.n ?? null,
    [`${which}_evaluations`]: figure?.evaluations ?? null,
  };
}
