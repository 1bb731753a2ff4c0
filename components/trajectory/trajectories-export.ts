import { formatCount, formatReward, formatSigned, MISSING } from '@/contract/format';
import type { ListedTrajectory, TrajectoriesQuery, TrajectoriesSummary } from '@/contract/trajectory-list';
import type { ExportRow, ExportTable } from '@/components/export/table-formats';

interface ExportedList {
  /** Null = of all runs. */
  runId: string | null;
  query: TrajectoriesQuery;
  /** Undefined while it is awaited. */
  summary: TrajectoriesSummary | undefined;
}

/** The rows that were read of a list, with its filters, its order and how many match them. */
export function exportTrajectories(
  rows: readonly ListedTrajectory[],
  { runId, query, summary }: ExportedList,
): ExportTable {
  const { order, limit: _limit, after: _after, ...selection } = query;
  const filters = Object.entries(selection).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name: `filter ${name}`, value: String(value) }],
  );
  return {
    title: runId === null ? 'Trajectories of all runs' : `Trajectories, ${runId}`,
    filters: [
      ...filters,
      { name: 'order', value: order },
      { name: 'rows', value: `${formatCount(rows.length)} of ${matchingWords(summary)} that match` },
    ],
    columns: [
      { title: 'Run' },
      { title: 'Step', numeric: true },
      { title: 'Goal' },
      { title: 'Task type' },
      { title: 'Task' },
      { title: 'Phase' },
      { title: 'Split' },
      { title: 'Decoding' },
      { title: 'Sample', numeric: true },
      { title: 'Outcome' },
      { title: 'Reward', numeric: true },
      { title: 'Reward learned from', numeric: true },
      { title: 'Advantage', numeric: true },
      { title: 'Turns', numeric: true },
      { title: 'Invalid actions', numeric: true },
      { title: 'Flags' },
    ],
    rows: rows.map(exportRow),
  };
}

/** `150`, or `more than 10,000` where they were counted to a bound. */
export function matchingWords(summary: TrajectoriesSummary | undefined): string {
  if (!summary) return MISSING;
  return `${summary.isLowerBound ? 'more than ' : ''}${formatCount(summary.total)}`;
}

function exportRow(row: ListedTrajectory): ExportRow {
  return {
    cells: [
      row.runName,
      String(row.step),
      row.goal,
      row.taskType,
      row.taskId,
      row.phase,
      row.split,
      row.decoding,
      String(row.sample),
      row.success ? 'success' : row.stopReason.replaceAll('_', ' '),
      formatReward(row.reward),
      formatReward(row.shapedReward),
      formatSigned(row.advantage, 2),
      String(row.turnsCount),
      String(row.invalidActions),
      row.flags.join(', '),
    ],
    values: {
      trajectory: row.id,
      run: row.runId,
      run_name: row.runName,
      attempt: row.attempt,
      step: row.step,
      phase: row.phase,
      split: row.split,
      task_type: row.taskType,
      task_id: row.taskId,
      goal: row.goal,
      group: row.group,
      sample: row.sample,
      decoding: row.decoding,
      evaluation: row.evaluation,
      seed: row.seed,
      success: row.success,
      stop_reason: row.stopReason,
      reward: row.reward,
      shaped_reward: row.shapedReward,
      advantage: row.advantage,
      turns: row.turnsCount,
      invalid_actions: row.invalidActions,
      prompt_tokens: row.promptTokens,
      reply_tokens: row.replyTokens,
      flags: row.flags.join(' '),
      error: row.error ? `${row.error.stage}: ${row.error.message}` : null,
    },
  };
}
