'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ProbeIndex } from '@/contract/api';
import type { Turn } from '@/contract/trajectory';
import { apiUrl, getJson } from './api-client';
import { queryKeys } from './query-keys';
import { asking, reads } from './reads';

/** One trajectory with its turns, those of a long transcript cut. */
export function useTrajectory(trajectoryId: string) {
  return useQuery({
    ...asking(reads.trajectory(trajectoryId)),
    placeholderData: keepPreviousData,
  });
}

/** A turn whole, where it came cut; null asks for none. It never changes once recorded. */
export function useTurn(trajectoryId: string, index: number | null) {
  return useQuery({
    queryKey: [...queryKeys.trajectory(trajectoryId), 'turn', index],
    queryFn: ({ signal }) =>
      getJson<Turn>(apiUrl(`/trajectories/${encodeURIComponent(trajectoryId)}/turns/${index}`), signal),
    enabled: index !== null,
    staleTime: Infinity,
  });
}

/** Tasks and steps of a run that can be laid side by side. */
export function useProbeIndex(runId: string) {
  return useQuery({
    queryKey: queryKeys.probe(runId),
    queryFn: ({ signal }) => getJson<ProbeIndex>(apiUrl(`/runs/${encodeURIComponent(runId)}/probe`), signal),
  });
}
