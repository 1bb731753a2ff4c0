import type { CheckpointRow, EvaluationRow, RunDetail, SeriesCurve, TrajectoryDetail } from '@/contract/api';
import type { MetricMark, RunAlerts } from '@/contract/alert';
import type { ListedRun, RunSelection, RunsQuery, RunsSummary } from '@/contract/run-list';
import type {
  TrajectoriesPage,
  TrajectoriesQuery,
  TrajectoriesSummary,
  TrajectoryFilterValues,
  TrajectorySelection,
} from '@/contract/trajectory-list';
import { apiUrl, getJson } from './api-client';
import { queryKeys } from './query-keys';

/**
 * A question to the server: the address that answers it and the key its answer is kept under. A screen asks it in the
 * browser; a page that is opened by its address has it asked before it is sent, and comes with the answer.
 */
export interface Read<Answer> {
  queryKey: readonly unknown[];
  url: string;
  /** Carries the type of the answer; never set. */
  answer?: Answer;
}

/** A list that is read page after page. */
export interface PagedRead<Page> {
  queryKey: readonly unknown[];
  pageUrl: (after: string | undefined) => string;
  /** Carries the type of a page; never set. */
  page?: Page;
}

/** What React Query needs to ask a question. */
export function asking<Answer>({ queryKey, url }: Read<Answer>) {
  return {
    queryKey,
    queryFn: ({ signal }: { signal: AbortSignal }) => getJson<Answer>(url, signal),
  };
}

/** What React Query needs to ask for a list, but how a page names the next. */
export function askingPages<Page>({ queryKey, pageUrl }: PagedRead<Page>) {
  return {
    queryKey,
    queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: string | undefined }) =>
      getJson<Page>(pageUrl(pageParam), signal),
    initialPageParam: undefined as string | undefined,
  };
}

const runPath = (runId: string) => `/runs/${encodeURIComponent(runId)}`;
const trajectoriesPath = (runId: string | null) => `${runId === null ? '' : runPath(runId)}/trajectories`;
const trajectoriesKey = (runId: string | null) =>
  runId === null ? queryKeys.allTrajectories : queryKeys.trajectories(runId);

/** A query of the list of runs as parameters of its address. */
export function runsParameters<Query extends RunsQuery | RunSelection>({ status, ...query }: Query) {
  return { ...query, status: status?.join(',') };
}

export const reads = {
  run: (runId: string): Read<RunDetail> => ({
    queryKey: queryKeys.detail(runId),
    url: apiUrl(runPath(runId)),
  }),
  evaluations: (runId: string): Read<EvaluationRow[]> => ({
    queryKey: queryKeys.evaluations(runId),
    url: apiUrl(`${runPath(runId)}/evaluations`),
  }),
  checkpoints: (runId: string): Read<CheckpointRow[]> => ({
    queryKey: queryKeys.checkpoints(runId),
    url: apiUrl(`${runPath(runId)}/checkpoints`),
  }),
  alerts: (runId: string): Read<RunAlerts> => ({
    queryKey: queryKeys.alerts(runId),
    url: apiUrl(`${runPath(runId)}/alerts`),
  }),
  metricMarks: (runId: string): Read<MetricMark[]> => ({
    queryKey: queryKeys.metricMarks(runId),
    url: apiUrl(`${runPath(runId)}/metric-marks`),
  }),
  /** Curves of the named series in at most `buckets` buckets each. */
  series: (runId: string, names: readonly string[], buckets: number): Read<SeriesCurve[]> => ({
    queryKey: [...queryKeys.series(runId), buckets, ...names],
    url: apiUrl(`${runPath(runId)}/series`, { name: names, buckets }),
  }),
  runsSummary: (selection: RunSelection): Read<RunsSummary> => ({
    queryKey: [...queryKeys.runsSummary, selection],
    url: apiUrl('/runs/summary', runsParameters(selection)),
  }),
  runPages: (query: RunsQuery): PagedRead<ListedRun[]> => ({
    queryKey: [...queryKeys.runPages, query],
    pageUrl: (after) => apiUrl('/runs', { ...runsParameters(query), after }),
  }),
  /** Of a run, or of all runs where it is null. */
  trajectoryPages: (runId: string | null, query: TrajectoriesQuery): PagedRead<TrajectoriesPage> => ({
    queryKey: [...trajectoriesKey(runId), 'pages', query],
    pageUrl: (after) => apiUrl(trajectoriesPath(runId), { ...query, after }),
  }),
  trajectoriesSummary: (runId: string | null, selection: TrajectorySelection): Read<TrajectoriesSummary> => ({
    queryKey: [...trajectoriesKey(runId), 'summary', selection],
    url: apiUrl(`${trajectoriesPath(runId)}/summary`, { ...selection }),
  }),
  trajectoryFilters: (runId: string | null): Read<TrajectoryFilterValues> => ({
    queryKey: [...trajectoriesKey(runId), 'filters'],
    url: apiUrl(`${trajectoriesPath(runId)}/filters`),
  }),
  /** With the turns of a long transcript cut. */
  trajectory: (trajectoryId: string): Read<TrajectoryDetail> => ({
    queryKey: queryKeys.trajectory(trajectoryId),
    url: apiUrl(`/trajectories/${encodeURIComponent(trajectoryId)}`, { cut: 'true' }),
  }),
};
