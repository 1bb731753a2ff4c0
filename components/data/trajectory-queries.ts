'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Pair, PairQuery, ProbeIndex, TrajectoriesPage, TrajectoryDetail } from '@/contract/api';
import type { TrajectoriesQuery } from '@/contract/api';
import { apiUrl, getJson } from './api-client';
import { queryKeys } from './query-keys';

/** A page of a run's trajectories; the last page stays while the next one comes. */
export function useTrajectories(runId: string, query: Partial<TrajectoriesQuery>) {
  return useQuery({
    queryKey: [...queryKeys.trajectories(runId), query],
    queryFn: ({ signal }) =>
      getJson<TrajectoriesPage>(
        apiUrl(`/runs/${encodeURIComponent(runId)}/trajectories`, { ...query }),
        signal,
      ),
    placeholderData: keepPreviousData,
  });
}

/** One trajectory with its turns; it never changes once recorded. */
export function useTrajectory(trajectoryId: string) {
  return useQuery({
    queryKey: queryKeys.trajectory(trajectoryId),
    queryFn: ({ signal }) =>
      getJson<TrajectoryDetail>(apiUrl(`/trajectories/${encodeURIComponent(trajectoryId)}`), signal),
    placeholderData: keepPreviousData,
  });
}

/** Tasks and steps of a run that can be laid side by side. */
export function useProbeIndex(runId: string) {
  return useQuery({
    queryKey: queryKeys.probe(runId),
    queryFn: ({ signal }) => getJson<ProbeIndex>(apiUrl(`/runs/${encodeURIComponent(runId)}/probe`), signal),
  });
}

/** The same task at two steps; null while no task is chosen. */
export function usePair(runId: string, query: PairQuery | null) {
  return useQuery({
    queryKey: [...queryKeys.pair(runId), query],
    queryFn: ({ signal }) =>
      getJson<Pair>(apiUrl(`/runs/${encodeURIComponent(runId)}/pair`, { ...query }), signal),
    enabled: query !== null,
    placeholderData: keepPreviousData,
  });
}
