/** Keys of the query cache: all of a run's data lies under its own prefix. */
export const queryKeys = {
  runs: ['runs'] as const,
  /** Lists of runs that change a row at a time, so not below `runs`, which is asked for anew. */
  runPages: ['run-pages'] as const,
  runsSummary: ['runs-summary'] as const,
  workers: ['workers'] as const,
  imports: ['imports'] as const,
  reports: ['reports'] as const,
  report: (reportId: string) => ['report', reportId] as const,
  capabilities: (runId: string) => ['run', runId, 'capabilities'] as const,
  /** Lists over all runs; those of one run lie under its prefix. */
  allTrajectories: ['trajectories'] as const,
  trajectory: (trajectoryId: string) => ['trajectory', trajectoryId] as const,
  comparison: (names: readonly string[]) => ['comparison', ...names] as const,
  comparable: (text: string) => ['comparable', text] as const,
  openAlerts: ['open-alerts'] as const,
  run: (runId: string) => ['run', runId] as const,
  detail: (runId: string) => ['run', runId, 'detail'] as const,
  series: (runId: string) => ['run', runId, 'series'] as const,
  /** Not below `series`, whose answers are curves that live points are appended to. */
  seriesNames: (runId: string) => ['run', runId, 'series-names'] as const,
  seriesSums: (runId: string) => ['run', runId, 'series-sums'] as const,
  evaluations: (runId: string) => ['run', runId, 'evaluations'] as const,
  alerts: (runId: string) => ['run', runId, 'alerts'] as const,
  failureClusters: (runId: string) => ['run', runId, 'failure-clusters'] as const,
  metricMarks: (runId: string) => ['run', runId, 'metric-marks'] as const,
  checkpoints: (runId: string) => ['run', runId, 'checkpoints'] as const,
  trajectories: (runId: string) => ['run', runId, 'trajectories'] as const,
  requestedEvaluations: (runId: string) => ['run', runId, 'requested-evaluations'] as const,
  evaluationUnits: (runId: string) => ['run', runId, 'evaluation-units'] as const,
  probe: (runId: string) => ['run', runId, 'probe'] as const,
  pair: (runId: string) => ['run', runId, 'pair'] as const,
};
