'use client';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ListedRun, RunSelection, RunsQuery, RunsSummary } from '@/contract/run-list';
import { apiUrl, getJson } from './api-client';
import { runsParameters } from './changed-runs';
import { useWatchedRuns } from './live';
import { queryKeys } from './query-keys';

/** Runs page after page; rows follow `runs:changed`, in the places they were read in. */
export function useRunPages(query: RunsQuery) {
  useWatchedRuns();
  return useInfiniteQuery({
    queryKey: [...queryKeys.runPages, query],
    queryFn: ({ signal, pageParam }) =>
      getJson<ListedRun[]>(apiUrl('/runs', { ...runsParameters(query), after: pageParam }), signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length === query.limit ? page.at(-1)?.cursor : undefined),
    placeholderData: keepPreviousData,
  });
}

/** How many runs match, by status too, and what they can be filtered by; follows `runs:changed`. */
export function useRunsSummary(selection: RunSelection) {
  return useQuery({
    queryKey: [...queryKeys.runsSummary, selection],
    queryFn: ({ signal }) => getJson<RunsSummary>(apiUrl('/runs/summary', runsParameters(selection)), signal),
    placeholderData: keepPreviousData,
  });
}
