'use client';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { TrajectoriesQuery, TrajectorySelection } from '@/contract/trajectory-list';
import { asking, askingPages, reads } from './reads';

/**
 * Trajectories of a run, or of all runs, page after page. What is on screen stays until asked for again: a list that
 * moves under the reader's hand cannot be stepped through.
 */
export function useTrajectoryPages(runId: string | null, query: TrajectoriesQuery) {
  return useInfiniteQuery({
    ...askingPages(reads.trajectoryPages(runId, query)),
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
}

/** How many match, and what a search does not reach yet. */
export function useTrajectoriesSummary(runId: string | null, selection: TrajectorySelection) {
  return useQuery({
    ...asking(reads.trajectoriesSummary(runId, selection)),
    placeholderData: keepPreviousData,
  });
}

/** What the filters can be set to. */
export function useTrajectoryFilterValues(runId: string | null) {
  return useQuery(asking(reads.trajectoryFilters(runId)));
}
