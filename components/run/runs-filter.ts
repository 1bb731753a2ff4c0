import type { RunRow } from '@/contract/api';
import { RunStatus } from '@/contract/run';

export interface RunsFilter {
  /** Words that must all occur in the run's id, name, recipe, preset or worker. */
  text: string;
  /** Statuses to show; empty = all. */
  statuses: readonly RunStatus[];
}

/** Reads `?text=&status=running,lost`; statuses that do not exist are left out. */
export function readRunsFilter(params: { get(name: string): string | null }): RunsFilter {
  const named = (params.get('status') ?? '').split(',').flatMap((word) => {
    const parsed = RunStatus.safeParse(word);
    return parsed.success ? [parsed.data] : [];
  });
  return { text: params.get('text') ?? '', statuses: [...new Set(named)] };
}

export function matchesText(run: RunRow, text: string): boolean {
  const haystack = [run.id, run.name, run.recipe, run.preset, `seed ${run.seed}`, run.workerName ?? '']
    .join('\n')
    .toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}

export function filterRuns(runs: readonly RunRow[], filter: RunsFilter): RunRow[] {
  return runs.filter(
    (run) =>
      (filter.statuses.length === 0 || filter.statuses.includes(run.status)) && matchesText(run, filter.text),
  );
}

/** How many runs each status would show under the text filter. */
export function countStatuses(runs: readonly RunRow[], text: string): Map<RunStatus, number> {
  const counts = new Map<RunStatus, number>();
  for (const run of runs)
    if (matchesText(run, text)) counts.set(run.status, (counts.get(run.status) ?? 0) + 1);
  return counts;
}
