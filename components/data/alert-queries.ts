'use client';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Alert, MetricMark, MetricMarkRequest } from '@/contract/alert';
import type { StepFailures } from '@/contract/failure-cluster';
import { apiUrl, getJson, sendJson } from './api-client';
import { queryKeys } from './query-keys';
import { asking, reads } from './reads';

const runPath = (runId: string, part: string) => `/runs/${encodeURIComponent(runId)}/${part}`;

/** What the detectors found in a run and what they read; asked for anew whenever they have read it again. */
export function useAlerts(runId: string) {
  return useQuery(asking(reads.alerts(runId)));
}

/** Alerts of some runs that nobody has acknowledged; the last answer stays while other rows come into view. */
export function useOpenAlerts(runIds: readonly string[]) {
  return useQuery({
    queryKey: [...queryKeys.openAlerts, ...runIds],
    queryFn: ({ signal }) => getJson<Alert[]>(apiUrl('/alerts', { run: runIds }), signal),
    enabled: runIds.length > 0,
    placeholderData: keepPreviousData,
  });
}

/** Takes note of an alert, or takes that back. */
export function useAcknowledge(runId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ alertId, acknowledged }: { alertId: string; acknowledged: boolean }) =>
      sendJson<Alert>('PATCH', apiUrl(`/alerts/${encodeURIComponent(alertId)}`), { acknowledged }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.alerts(runId) }),
  });
}

/** Lost trajectories of a run by how and where they first went wrong. */
export function useFailureClusters(runId: string) {
  return useQuery({
    queryKey: queryKeys.failureClusters(runId),
    queryFn: ({ signal }) => getJson<StepFailures[]>(apiUrl(runPath(runId, 'failure-clusters')), signal),
  });
}

/** Metrics of a run that are marked meaningless. */
export function useMetricMarks(runId: string) {
  return useQuery(asking(reads.metricMarks(runId)));
}

/** Marks a metric of a run, or takes its mark away; both answer with the marks there are then. */
export function useMarkMetric(runId: string) {
  const client = useQueryClient();
  const path = runPath(runId, 'metric-marks');
  const onSuccess = (marks: MetricMark[]) => client.setQueryData(queryKeys.metricMarks(runId), marks);
  const mark = useMutation({
    mutationFn: (request: MetricMarkRequest) => sendJson<MetricMark[]>('PUT', apiUrl(path), request),
    onSuccess,
  });
  const unmark = useMutation({
    mutationFn: (name: string) => sendJson<MetricMark[]>('DELETE', apiUrl(path, { name })),
    onSuccess,
  });
  return { mark, unmark };
}
