import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { ListedRun, RunsQuery } from '@/contract/run-list';
import { apiUrl, getJson } from './api-client';
import { queryKeys } from './query-keys';
import { runsParameters } from './reads';

/** Reads the rows of changed runs anew, in every list on screen, and nothing else. */
export async function refreshChangedRuns(client: QueryClient, runIds: readonly string[]): Promise<void> {
  void client.invalidateQueries({ queryKey: queryKeys.runsSummary });
  const lists = client.getQueryCache().findAll({ queryKey: queryKeys.runPages, type: 'active' });
  await Promise.all(
    lists.map(async ({ queryKey }) => {
      // The key is made above: the prefix, then the query.
      const query = queryKey.at(-1) as RunsQuery;
      const changed = await getJson<ListedRun[]>(apiUrl('/runs', { ...runsParameters(query), id: runIds }));
      client.setQueryData<InfiniteData<ListedRun[]>>(
        queryKey,
        (pages) => pages && { ...pages, pages: withChangedRuns(pages.pages, runIds, changed, query) },
      );
    }),
  );
}

/**
 * Pages with the rows of changed runs replaced where they stand, those that no longer match taken out and, where the
 * newest come first, those that are newer than all put in front.
 */
export function withChangedRuns(
  pages: readonly ListedRun[][],
  runIds: readonly string[],
  changed: readonly ListedRun[],
  { sort, direction }: Pick<RunsQuery, 'sort' | 'direction'>,
): ListedRun[][] {
  const asked = new Set(runIds);
  const rows = new Map(changed.map((run) => [run.id, run]));
  const known = new Set(pages.flat().map((run) => run.id));
  const kept = pages.map((page) =>
    page.flatMap((run) => (asked.has(run.id) ? (rows.get(run.id) ?? []) : [run])),
  );
  if (sort !== 'newest' || direction !== 'desc') return kept;
  const newest = pages.flat()[0]?.createdAt ?? 0;
  const fresh = changed.filter((run) => !known.has(run.id) && run.createdAt >= newest);
  return kept.length === 0 ? [fresh] : kept.with(0, [...fresh, ...(kept[0] ?? [])]);
}
