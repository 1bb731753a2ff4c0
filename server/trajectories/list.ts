import type {
  GroupFigures,
  ListedTrajectory,
  TrajectoriesPage,
  TrajectoriesQuery,
  TrajectoryOrder,
} from '@/contract/trajectory-list';
import type { Database } from '../database';
import { findHits } from './hits';
import { toSummary, type SummaryRow } from './records';
import { selectionOf } from './selection';

/** What each order goes by. A list of one run begins with its newest step, one of all runs with what came last. */
const ORDER_COLUMNS = {
  reward: 'reward',
  turns: 'turnsCount',
  invalid_actions: 'invalidActions',
  tokens: 'replyTokens',
} as const;

function orderColumn(order: TrajectoryOrder, runId: string | null) {
  if (order !== 'newest') return ORDER_COLUMNS[order];
  return runId === null ? 'id' : 'step';
}

interface ListedRow extends SummaryRow {
  id: string;
  runName: string;
}

const COLUMNS = `trajectory."id", trajectory."runId", run."name" AS "runName", trajectory."attempt", trajectory."step",
  trajectory."phase", trajectory."split", trajectory."taskId", trajectory."taskType", trajectory."goal",
  trajectory."group", trajectory."sample", trajectory."decoding", trajectory."evaluation", trajectory."seed",
  trajectory."reward", trajectory."shapedReward", trajectory."advantage", trajectory."success",
  trajectory."turnsCount", trajectory."givenTurns", trajectory."invalidActions", trajectory."promptTokens",
  trajectory."replyTokens", trajectory."prefilledTokens", trajectory."trainedTokens", trajectory."stopReason",
  trajectory."flags", trajectory."errorStage", trajectory."errorMessage"`;

/**
 * A page of the trajectories of a run, or of all runs where `runId` is null. Throws `invalid_input` where the searched text
 * has no word.
 */
export async function listTrajectories(
  database: Database,
  runId: string | null,
  query: TrajectoriesQuery,
): Promise<TrajectoriesPage> {
  const { order, limit, after, text } = query;
  const conditions = selectionOf(runId, query);
  const column = orderColumn(order, runId);
  if (after !== undefined) {
    const [value = '', id = ''] = after.split('_');
    const type = column === 'reward' ? 'double precision' : 'bigint';
    conditions.addTuple(`(trajectory."${column}", trajectory."id") < (?::${type}, ?::bigint)`, [value, id]);
  }
  const { rows } = await database.pool.query<ListedRow>(
    `SELECT ${COLUMNS} FROM "Trajectory" trajectory JOIN "Run" run ON run."id" = trajectory."runId"
     WHERE ${conditions.where} ORDER BY trajectory."${column}" DESC, trajectory."id" DESC
     LIMIT ${conditions.parameter(limit + 1)}`,
    conditions.parameters,
  );
  const shown = rows.slice(0, limit);
  const hits = text === undefined ? null : await findHits(database, text, shown);
  const last = shown[shown.length - 1];
  return {
    trajectories: shown.map((row): ListedTrajectory => ({
      ...toSummary(row),
      runId: row.runId,
      runName: row.runName,
      attempt: row.attempt,
      hit: hits?.get(row.id) ?? null,
    })),
    groups: await readGroups(database, shown),
    next: rows.length > limit && last ? `${String(last[column])}_${last.id}` : null,
  };
}

/** The training groups that the rows belong to, each with all its recorded trajectories. */
async function readGroups(database: Database, rows: readonly ListedRow[]): Promise<GroupFigures[]> {
  const groups = new Map(
    rows.flatMap(({ runId, attempt, step, group, phase }) =>
      phase === 'train' && group !== null
        ? [[`${attempt}/${step}/${group}/${runId}`, { runId, attempt, step, group }]]
        : [],
    ),
  );
  if (groups.size === 0) return [];
  const { rows: figures } = await database.pool.query<GroupFigures>(
    `SELECT asked.*, figures.* FROM json_to_recordset($1::json)
         AS asked("runId" text, "attempt" int, "step" int, "group" int),
       LATERAL (SELECT count(*)::int AS "n", (count(*) FILTER (WHERE "success"))::int AS "successes",
           count("shapedReward")::int AS "rewarded", avg("shapedReward") AS "mean",
           min("shapedReward") AS "lowest", max("shapedReward") AS "highest"
         FROM "Trajectory" trajectory WHERE trajectory."runId" = asked."runId" AND trajectory."step" = asked."step"
           AND trajectory."attempt" = asked."attempt" AND trajectory."group" = asked."group"
           AND trajectory."phase" = 'train') figures`,
    [JSON.stringify([...groups.values()])],
  );
  return figures;
}
