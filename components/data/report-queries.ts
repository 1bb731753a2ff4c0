'use client';
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Report, ReportChange, ReportRow } from '@/contract/report';
import { apiUrl, getJson, postJson, sendJson } from './api-client';
import { queryKeys } from './query-keys';
import { asking, reads } from './reads';

const reportUrl = (reportId: string) => apiUrl(`/reports/${encodeURIComponent(reportId)}`);

export function useReports() {
  return useQuery({
    queryKey: queryKeys.reports,
    queryFn: ({ signal }) => getJson<ReportRow[]>(apiUrl('/reports'), signal),
  });
}

export function useReport(reportId: string) {
  return useQuery({
    queryKey: queryKeys.report(reportId),
    queryFn: ({ signal }) => readReport(reportId, signal),
  });
}

/** A report as it is stored now. */
export function readReport(reportId: string, signal: AbortSignal): Promise<Report> {
  return getJson<Report>(reportUrl(reportId), signal);
}

export function useCreateReport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (title: string) => postJson<Report>(apiUrl('/reports'), { title }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.reports }),
  });
}

export function useDeleteReport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (reportId: string) => sendJson<{ reportId: string }>('DELETE', reportUrl(reportId)),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.reports }),
  });
}

/** Stores a change of a report. Throws `conflict` where it was changed elsewhere meanwhile. */
export function saveReport(
  reportId: string,
  change: ReportChange,
  options: { outlivesPage: boolean },
): Promise<Report> {
  return sendJson<Report>('PUT', reportUrl(reportId), change, options);
}

/** Evaluations of each of some runs, in their order; a run's answer is the same as on its own page. */
export function useEvaluationsOf(runIds: readonly string[]) {
  return useQueries({
    queries: runIds.map((runId) => asking(reads.evaluations(runId))),
  });
}

/** A series of each of some runs, in their order, in at most 1,000 buckets. */
export function useSeriesOf(runIds: readonly string[], name: string) {
  return useQueries({
    queries: runIds.map((runId) => ({ ...asking(reads.series(runId, [name], 1000)), enabled: name !== '' })),
  });
}

/** Metrics of each of some runs that are marked meaningless. */
export function useMetricMarksOf(runIds: readonly string[]) {
  return useQueries({
    queries: runIds.map((runId) => asking(reads.metricMarks(runId))),
  });
}
