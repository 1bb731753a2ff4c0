'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type {
  Pair,
  PairQuery,
  ProbeShift,
  ProbeShiftQuery,
  SameTaskPage,
  TrajectoryPairQuery,
} from '@/contract/pair';
import { apiUrl, getJson } from './api-client';
import { queryKeys } from './query-keys';

const runPath = (runId: string) => `/runs/${encodeURIComponent(runId)}`;

/** The same probe task at two steps; null while no task is chosen. */
export function usePair(runId: string, query: PairQuery | null) {
  return useQuery({
    queryKey: [...queryKeys.pair(runId), query],
    queryFn: ({ signal }) => getJson<Pair>(apiUrl(`${runPath(runId)}/pair`, { ...query }), signal),
    enabled: query !== null,
    placeholderData: keepPreviousData,
  });
}

/** Any two trajectories of one task; they never change, their samples may grow in number. */
export function useTrajectoryPair(query: TrajectoryPairQuery | null) {
  return useQuery({
    queryKey: ['pair', query],
    queryFn: ({ signal }) => getJson<Pair>(apiUrl('/pair', { ...query }), signal),
    enabled: query !== null,
    placeholderData: keepPreviousData,
  });
}

/** What a trajectory can be laid beside. */
export function useSameTask(trajectoryId: string) {
  return useQuery({
    queryKey: [...queryKeys.trajectory(trajectoryId), 'same-task'],
    queryFn: ({ signal }) =>
      getJson<SameTaskPage>(apiUrl(`/trajectories/${encodeURIComponent(trajectoryId)}/same-task`), signal),
  });
}

/** Every task of a run's probe at two steps; null while there are no two steps. */
export function useProbeShift(runId: string, query: ProbeShiftQuery | null) {
  return useQuery({
    queryKey: [...queryKeys.probe(runId), 'shift', query],
    queryFn: ({ signal }) =>
      getJson<ProbeShift>(apiUrl(`${runPath(runId)}/probe/shift`, { ...query }), signal),
    enabled: query !== null,
    placeholderData: keepPreviousData,
  });
}
