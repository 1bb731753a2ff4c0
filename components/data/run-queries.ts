'use client';
import { useQuery, type QueryClient } from '@tanstack/react-query';
import type { RunDetail, RunRow, SeriesName, SeriesSum, WorkerRow } from '@/contract/api';
import { apiUrl, getJson } from './api-client';
import { newerDetail } from './fold-run';
import { useWatchedRun, useWatchedRuns } from './live';
import { queryKeys } from './query-keys';
import { asking, reads } from './reads';

const WORKERS_EVERY_MS = 5000;

const runPath = (runId: string) => `/runs/${encodeURIComponent(runId)}`;

/** Every run, newest first; follows `runs:changed`. */
export function useRuns() {
  useWatchedRuns();
  return useQuery({
    queryKey: queryKeys.runs,
    queryFn: ({ signal }) => getJson<RunRow[]>(apiUrl('/runs'), signal),
  });
}

/** One run with its view, kept current by its events. */
export function useRun(runId: string) {
  const query = useQuery({
    ...asking(reads.run(runId)),
    // Typed `unknown` by React Query; both are what queryFn answers.
    structuralSharing: (before, after) => newerDetail(before as RunDetail | undefined, after as RunDetail),
    enabled: runId !== '',
  });
  useWatchedRun(query.data ? runId : null);
  return query;
}

/** Curves of the named series in at most `buckets` buckets; live points are appended to them. */
export function useSeries(runId: string, names: readonly string[], buckets = 1000) {
  return useQuery({
    ...asking(reads.series(runId, names, buckets)),
    enabled: names.length > 0,
  });
}

/** Curves that the page came with, live points appended; none where it came without. */
export function useSeriesOfPage(runId: string, names: readonly string[], buckets: number) {
  return useQuery({ ...asking(reads.series(runId, names, buckets)), enabled: false });
}

/** What the points of the named series add up to, over all attempts; live points are added. */
export function useSeriesSums(runId: string, names: readonly string[]) {
  return useQuery({
    queryKey: [...queryKeys.seriesSums(runId), ...names],
    queryFn: ({ signal }) =>
      getJson<SeriesSum[]>(apiUrl(`${runPath(runId)}/series/sums`, { name: names }), signal),
  });
}

/** The series that the run had when it was asked; those that came since are in its view. */
export function useSeriesNames(runId: string) {
  return useQuery({
    queryKey: queryKeys.seriesNames(runId),
    queryFn: ({ signal }) => getJson<SeriesName[]>(apiUrl(`${runPath(runId)}/series/names`), signal),
  });
}

export function useEvaluations(runId: string) {
  return useQuery(asking(reads.evaluations(runId)));
}

export function useCheckpoints(runId: string) {
  return useQuery(asking(reads.checkpoints(runId)));
}

/** Workers with the time of their last beat, asked for anew as often as they beat. */
export function useWorkers() {
  return useQuery({
    queryKey: queryKeys.workers,
    queryFn: ({ signal }) => getJson<WorkerRow[]>(apiUrl('/workers'), signal),
    refetchInterval: WORKERS_EVERY_MS,
  });
}

/** Marks all that is known of a run as old; what is on screen stays until the new answers come. */
export async function refetchRun(client: QueryClient, runId: string): Promise<void> {
  await client.invalidateQueries({ queryKey: queryKeys.run(runId) });
}
