import type { FailureClustersQuery, FailureMode, StepFailures } from '@/contract/failure-cluster';
import { RESUMED_FROM_RECORDS } from '@/contract/recipes/requested';
import type { TrajectoryPhase } from '@/contract/trajectory';
import type { Database } from '../database';

/** Most steps and phases in one answer, the newest. */
const MAX_STEPS = 200;

interface ClusterRow {
  step: number;
  phase: TrajectoryPhase;
  mode: FailureMode | null;
  firstBadTurn: number | null;
  success: boolean | null;
  count: number;
}

/**
 * Lost trajectories by how and where they first went wrong, a step and phase apart; of a repeated step the newest attempt's, all
 * attempts' where each goes on from what the one before it stored.
 */
export async function listFailureClusters(
  { pool }: Database,
  runId: string,
  { step, phase }: FailureClustersQuery,
): Promise<StepFailures[]> {
  const { rows } = await pool.query<ClusterRow>(
    `WITH newest AS (
       SELECT "step", "phase",
         CASE WHEN (SELECT "recipe" = ANY($5) FROM "Run" WHERE "id" = $1) THEN 0 ELSE max("attempt") END AS "first"
       FROM "Trajectory"
       WHERE "runId" = $1 AND ($2::int IS NULL OR "step" = $2) AND ($3::text IS NULL OR "phase" = $3)
       GROUP BY "step", "phase" ORDER BY "step" DESC, "phase" LIMIT $4)
     SELECT trajectory."step", trajectory."phase", trajectory."failureMode" AS "mode", trajectory."firstBadTurn",
       trajectory."success", count(*)::int AS "count"
     FROM "Trajectory" trajectory JOIN newest USING ("step", "phase")
     WHERE trajectory."runId" = $1 AND trajectory."attempt" >= newest."first"
     GROUP BY 1, 2, 3, 4, 5 ORDER BY 1 DESC, 2, "count" DESC, 3, 4`,
    [runId, step ?? null, phase ?? null, MAX_STEPS, RESUMED_FROM_RECORDS],
  );
  const steps = new Map<string, StepFailures>();
  for (const row of rows) {
    const key = `${row.step}/${row.phase}`;
    const known = steps.get(key) ?? {
      step: row.step,
      phase: row.phase,
      n: 0,
      failed: 0,
      unscored: 0,
      unmarked: 0,
      clusters: [],
    };
    steps.set(key, counted(known, row));
  }
  return [...steps.values()];
}

function counted(step: StepFailures, { mode, firstBadTurn, success, count }: ClusterRow): StepFailures {
  if (success === null) return { ...step, unscored: step.unscored + count };
  if (success) return { ...step, n: step.n + count };
  return {
    ...step,
    n: step.n + count,
    failed: step.failed + count,
    unmarked: step.unmarked + (mode === null ? count : 0),
    clusters: mode === null ? step.clusters : [...step.clusters, { mode, firstBadTurn, count }],
  };
}
