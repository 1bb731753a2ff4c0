'use client';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type {
  TrajectoriesPage,
  TrajectoriesQuery,
  TrajectoriesSummary,
  TrajectoryFilterValues,
  TrajectorySelection,
} from '@/contract/trajectory-list';
import { apiUrl, getJson } from './api-client';
import { queryKeys } from './query-keys';

const listPath = (runId: string | null) =>
  runId === null ? '/trajectories' : `/runs/${encodeURIComponent(runId)}/trajectories`;
const listKey = (runId: string | null) =>
  runId === null ? queryKeys.allTrajectories : queryKeys.trajectories(runId);

/**
 * Trajectories of a run, or of all runs, page after page. What is on screen stays until asked for again: a list that
 * moves under the reader's hand cannot be stepped through.
 */
export function useTrajectoryPages(runId: string | null, query: TrajectoriesQuery) {
  return useInfiniteQuery({
    queryKey: [...listKey(runId), 'pages', query],
    queryFn: ({ signal, pageParam }) =>
      getJson<TrajectoriesPage>(apiUrl(listPath(runId), { ...query, after: pageParam }), signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
}

/** How many match, and what a search does not reach yet. */
export function useTrajectoriesSummary(runId: string | null, selection: TrajectorySelection) {
  return useQuery({
    queryKey: [...listKey(runId), 'summary', selection],
    queryFn: ({ signal }) =>
      getJson<TrajectoriesSummary>(apiUrl(`${listPath(runId)}/summary`, { ...selection }), signal),
    placeholderData: keepPreviousData,
  });
}

/** What the filters can be set to. */
export function useTrajectoryFilterValues(runId: string | null) {
  return useQuery({
    queryKey: [...listKey(runId), 'filters'],
    queryFn: ({ signal }) => getJson<TrajectoryFilterValues>(apiUrl(`${listPath(runId)}/filters`), signal),
  });
}
