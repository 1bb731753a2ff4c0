import {
  readCursor,
  type GroupFigures,
  type ListedTrajectory,
  type TrajectoriesPage,
  type TrajectoriesQuery,
  type TrajectoryOrder,
} from '@/contract/trajectory-list';
import type { Database } from '../database';
import type { SqlConditions } from '../sql-conditions';
import { findHits } from './hits';
import { toSummary, type SummaryRow } from './records';
import { readSearch } from './search';
import { selectionOf } from './selection';

/** Trajectories that are looked through one by one before the index is asked. */
const LOOKED_THROUGH = 1_000;

/** What each order goes by. A list of one run begins with its newest step, one of all runs with what came last. */
const ORDER_COLUMNS = {
  reward: 'rewardPlace',
  turns: 'turnsCount',
  invalid_actions: 'invalidActions',
  tokens: 'tokensPlace',
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
  trajectory."flags", trajectory."errorStage", trajectory."errorMessage", trajectory."rewardPlace", trajectory."tokensPlace"`;

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
  const column = orderColumn(order, runId);
  const asked: Asked = { conditions: selectionOf(runId, query), column, limit };
  const { conditions } = asked;
  const cursor = after === undefined ? null : readCursor(after, order);
  if (cursor) {
    const type = column === 'rewardPlace' ? 'double precision' : 'bigint';
    conditions.addTuple(`(trajectory."${column}", trajectory."id") < (?::${type}, ?::bigint)`, [
      cursor.value,
      cursor.id,
    ]);
  }
  const rows =
    text === undefined
      ? await readRows(database, asked, '"Trajectory" trajectory')
      : await searchRows(database, asked, readSearch(text).tsquery);
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

interface Asked {
  conditions: SqlConditions;
  column: string;
  limit: number;
}

/** One row more than the page has, so that it is known whether there is another. */
async function readRows(
  database: Database,
  { conditions, column, limit }: Asked,
  source: string,
): Promise<ListedRow[]> {
  const { rows } = await database.pool.query<ListedRow>(
    `SELECT ${COLUMNS} FROM ${source} JOIN "Run" run ON run."id" = trajectory."runId"
     WHERE ${conditions.where} ORDER BY trajectory."${column}" DESC, trajectory."id" DESC
     LIMIT ${limit + 1}`,
    conditions.parameters,
  );
  return rows;
}

/**
 * The rows that a search finds. A word that many turns have is found among the next trajectories of the order, one by one; a
 * rarer one by the index, which names all that have it. Which of the two is quick cannot be told before: what a word is
 * rare in may all lie at one end of the order.
 */
async function searchRows(database: Database, asked: Asked, tsquery: string): Promise<ListedRow[]> {
  const { conditions, column, limit } = asked;
  const query = `to_tsquery('simple', ${conditions.parameter(tsquery)})`;
  const { rows } = await database.pool.query<ListedRow & { looked: number }>(
    `WITH near AS MATERIALIZED (
       SELECT trajectory.* FROM "Trajectory" trajectory WHERE ${conditions.where}
       ORDER BY trajectory."${column}" DESC, trajectory."id" DESC LIMIT ${LOOKED_THROUGH})
     SELECT looked.looked, page.* FROM (SELECT count(*)::int AS looked FROM near) looked LEFT JOIN (
       SELECT ${COLUMNS} FROM near trajectory JOIN "Run" run ON run."id" = trajectory."runId"
       WHERE EXISTS (SELECT FROM "TurnWords" words WHERE words."trajectoryId" = trajectory."id"
         AND words."words" @@ ${query})
       ORDER BY trajectory."${column}" DESC, trajectory."id" DESC LIMIT ${limit + 1}) page ON true
     ORDER BY page."${column}" DESC, page."id" DESC`,
    conditions.parameters,
  );
  const [first] = rows;
  if (rows.length > limit || (first && first.looked < LOOKED_THROUGH))
    return rows.filter((row) => row.id !== null);
  const found = `(SELECT DISTINCT "trajectoryId" FROM "TurnWords" words WHERE words."words" @@ ${query})`;
  return readRows(
    database,
    asked,
    `${found} found JOIN "Trajectory" trajectory ON trajectory."id" = found."trajectoryId"`,
  );
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
       LATERAL (SELECT count(*)::int AS "n", count("success")::int AS "judged", (count(*) FILTER (WHERE "success"))::int AS "successes",
           count("shapedReward")::int AS "rewarded", avg("shapedReward") AS "mean",
           min("shapedReward") AS "lowest", max("shapedReward") AS "highest"
         FROM "Trajectory" trajectory WHERE trajectory."runId" = asked."runId" AND trajectory."step" = asked."step"
           AND trajectory."attempt" = asked."attempt" AND trajectory."group" = asked."group"
           AND trajectory."phase" = 'train') figures`,
    [JSON.stringify([...groups.values()])],
  );
  return figures;
}
