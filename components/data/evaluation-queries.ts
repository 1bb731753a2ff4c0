'use client';
import { useQuery } from '@tanstack/react-query';
import type { EvaluationUnits, RequestedEvaluation } from '@/contract/requested-evaluation';
import { apiUrl, getJson } from './api-client';
import { queryKeys } from './query-keys';

const runPath = (runId: string) => `/runs/${encodeURIComponent(runId)}`;

/** How often what is still played is counted again. */
const UNITS_EVERY_MS = 3000;
/** Requested runs are not watched one by one. */
const REQUESTED_EVERY_MS = 10_000;

/** Runs that evaluate checkpoints of this one. */
export function useRequestedEvaluations(runId: string) {
  return useQuery({
    queryKey: queryKeys.requestedEvaluations(runId),
    queryFn: ({ signal }) =>
      getJson<RequestedEvaluation[]>(apiUrl(`${runPath(runId)}/requested-evaluations`), signal),
    refetchInterval: REQUESTED_EVERY_MS,
  });
}

/** The evaluations of a requested run; counted anew while it is `live`, and once more when it has ended. */
export function useEvaluationUnits(runId: string, live: boolean) {
  return useQuery<EvaluationUnits>({
    queryKey: [...queryKeys.evaluationUnits(runId), live],
    // What was counted while it ran stays until the last count comes; that of another run does not.
    placeholderData: (before, query) => (query?.queryKey[1] === runId ? before : undefined),
    queryFn: ({ signal }) => getJson<EvaluationUnits>(apiUrl(`${runPath(runId)}/evaluation-units`), signal),
    refetchInterval: live ? UNITS_EVERY_MS : false,
  });
}
