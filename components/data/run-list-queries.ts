'use client';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { RunSelection, RunsQuery } from '@/contract/run-list';
import { useWatchedRuns } from './live';
import { asking, askingPages, reads } from './reads';

/** Runs page after page; rows follow `runs:changed`, in the places they were read in. */
export function useRunPages(query: RunsQuery) {
  useWatchedRuns();
  return useInfiniteQuery({
    ...askingPages(reads.runPages(query)),
    getNextPageParam: (page) => (page.length === query.limit ? page.at(-1)?.cursor : undefined),
    placeholderData: keepPreviousData,
  });
}

/** How many runs match, by status too, and what they can be filtered by; follows `runs:changed`. */
export function useRunsSummary(selection: RunSelection) {
  return useQuery({
    ...asking(reads.runsSummary(selection)),
    placeholderData: keepPreviousData,
  });
}
