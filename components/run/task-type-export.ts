import type { EvaluationRow } from '@/contract/api';
import type { EvaluationResult, TaskTypeCount } from '@/contract/evaluation';
import { formatDifference, formatRate, MISSING } from '@/contract/format';
import type { Split } from '@/contract/trajectory';
import { verdictWords } from '@/stats/comparison-verdict';
import { wilson } from '@/stats/wilson';
import type { ExportRow, ExportTable } from '@/components/export/table-formats';
import { compareRates } from '@/components/ui/compare-rates';
import { firstAndLatest, taskTypeRows, type Decoding } from './evaluation-points';

type Count = Pick<TaskTypeCount, 'successes' | 'n'> | null;

/** Success of each task type by split, at step 0 and at the newest evaluation, as the run's table has it. */
export function exportTaskTypeTable(
  runId: string,
  evaluations: readonly EvaluationRow[],
  splits: readonly Split[],
  decoding: Decoding,
): ExportTable {
  return {
    title: `By task type, ${runId}`,
    filters: [
      { name: 'run', value: runId },
      { name: 'decoding', value: decoding },
      { name: 'interval', value: '95% Wilson; differences 95% Newcombe, unpaired; exploratory' },
    ],
    columns: [
      { title: 'Split' },
      { title: 'Task type' },
      { title: 'Step 0, k/n, % [95%]', numeric: true },
      { title: 'Newest step, k/n, % [95%]', numeric: true },
      { title: 'Difference [95%]', numeric: true },
      { title: 'Verdict' },
    ],
    rows: splits.flatMap((split) => {
      const { first, latest } = firstAndLatest(evaluations, split, decoding);
      const rowOf = (taskType: string, counts: { first: Count; latest: Count }) =>
        exportRow({ split, taskType, latestStep: latest?.step ?? null, ...counts });
      return [
        ...taskTypeRows(first, latest).map(({ taskType, ...counts }) => rowOf(taskType, counts)),
        rowOf('all', { first, latest }),
      ];
    }),
  };
}

function exportRow(row: {
  split: Split;
  taskType: string;
  latestStep: EvaluationResult['step'] | null;
  first: Count;
  latest: Count;
}): ExportRow {
  const { split, taskType, first, latest, latestStep } = row;
  const comparison = compareRates(latest, first);
  const words = (count: Count) =>
    count ? formatRate(count.successes, count.n, wilson(count.successes, count.n)) : MISSING;
  return {
    cells: [
      split,
      taskType,
      words(first),
      words(latest),
      comparison ? formatDifference(comparison.interval) : MISSING,
      comparison ? verdictWords(comparison.verdict) : MISSING,
    ],
    values: {
      split,
      task_type: taskType,
      first_k: first?.successes ?? null,
      first_n: first?.n ?? null,
      latest_step: latestStep,
      latest_k: latest?.successes ?? null,
      latest_n: latest?.n ?? null,
      difference: comparison?.interval.difference ?? null,
      difference_low: comparison?.interval.low ?? null,
      difference_high: comparison?.interval.high ?? null,
      verdict: comparison ? verdictWords(comparison.verdict) : null,
    },
  };
}
