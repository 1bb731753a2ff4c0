import type {
  TrajectoriesSummary,
  TrajectoryFilterValues,
  TrajectorySelection,
} from '@/contract/trajectory-list';
import type { Database } from '../database';
import { readSearch } from './search';
import { selectionOf } from './selection';

/** Trajectories that are counted at most: a search for a common word would else visit every turn there is. */
const COUNTED_AT_MOST = 10_000;
const COUNTED_IN_SEARCH_AT_MOST = 1_000;

/**
 * How many trajectories of a run, or of all runs, match, and how many turns a search does not reach yet. Throws
 * `invalid_input` where the searched text has no word.
 */
export async function summarizeTrajectories(
  database: Database,
  runId: string | null,
  selection: TrajectorySelection,
): Promise<TrajectoriesSummary> {
  const conditions = selectionOf(runId, selection);
  const { text } = selection;
  const bound = text === undefined ? COUNTED_AT_MOST : COUNTED_IN_SEARCH_AT_MOST;
  if (text !== undefined)
    conditions.add(
      `EXISTS (SELECT FROM "TurnWords" words WHERE words."trajectoryId" = trajectory."id"
         AND words."words" @@ to_tsquery('simple', ?))`,
      readSearch(text).tsquery,
    );
  const [counted, unindexed] = await Promise.all([
    database.pool.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM (
         SELECT FROM "Trajectory" trajectory WHERE ${conditions.where} LIMIT ${bound + 1}) matching`,
      conditions.parameters,
    ),
    database.pool.query<{ turns: number }>(
      `SELECT coalesce(sum("turns"), 0)::int AS turns FROM "UnindexedTrajectory"
       WHERE $1::text IS NULL OR "runId" = $1`,
      [runId],
    ),
  ]);
  const total = counted.rows[0]?.total ?? 0;
  return {
    total: Math.min(total, bound),
    isLowerBound: total > bound,
    unindexedTurns: unindexed.rows[0]?.turns ?? 0,
  };
}

/** Steps, task types and flags of a run's trajectories, or task types and flags of all, none read off the trajectories' rows. */
export async function trajectoryFilterValues(
  database: Database,
  runId: string | null,
): Promise<TrajectoryFilterValues> {
  const [steps, taskTypes, flags] = await Promise.all([
    runId === null ? { rows: [] } : database.pool.query<{ value: number }>(STEPS, [runId]),
    database.pool.query<{ value: string }>(TASK_TYPES, [runId]),
    database.pool.query<{ value: string }>(FLAGS, [runId]),
  ]);
  return {
    steps: steps.rows.map((row) => row.value),
    taskTypes: taskTypes.rows.map((row) => row.value),
    flags: flags.rows.map((row) => row.value),
  };
}

const FLAGS = `SELECT DISTINCT "flag" AS value FROM "TrajectoryFlag"
  WHERE $1::text IS NULL OR "runId" = $1 ORDER BY value`;

/** From each value to the next one: as many looks into the index as there are values. */
const STEPS = `WITH RECURSIVE found AS (
    SELECT min("step") AS value FROM "Trajectory" WHERE "runId" = $1
    UNION ALL
    SELECT (SELECT min("step") FROM "Trajectory" WHERE "runId" = $1 AND "step" > found.value)
    FROM found WHERE found.value IS NOT NULL)
  SELECT value FROM found WHERE value IS NOT NULL`;

const TASK_TYPES = `WITH RECURSIVE found AS (
    SELECT min("taskType") AS value FROM "Trajectory"
    UNION ALL
    SELECT (SELECT min("taskType") FROM "Trajectory" WHERE "taskType" > found.value)
    FROM found WHERE found.value IS NOT NULL)
  SELECT value FROM found WHERE value IS NOT NULL AND ($1::text IS NULL OR EXISTS (
    SELECT FROM "Trajectory" WHERE "taskType" = found.value AND "runId" = $1))`;
