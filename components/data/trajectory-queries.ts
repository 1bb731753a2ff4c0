'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ProbeIndex, TrajectoryDetail } from '@/contract/api';
import { apiUrl, getJson } from './api-client';
import { queryKeys } from './query-keys';

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
