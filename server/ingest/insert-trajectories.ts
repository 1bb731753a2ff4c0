import type pg from 'pg';
import type { Turn } from '@/contract/trajectory';
import { markTrajectory } from '@/stats/trajectory-marks';
import { encodeLogprobs, encodeIntegers } from '../trajectories/token-arrays';
import type { EventOf } from './parsed-batch';

/**
 * Stores the trajectories of a batch with their turns and flags, a statement a table, leaves word for the indexer, and
 * returns the rows' ids by seq.
 * Rows travel as one JSON array: `unnest` would flatten the lists within them.
 */
export async function insertTrajectories(
  client: pg.PoolClient,
  runId: string,
  attempt: number,
  events: readonly EventOf<'trajectory:finished'>[],
): Promise<Map<number, string>> {
  if (events.length === 0) return new Map();
  const ids = await reserveIds(client, events);
  const rows = events.map(({ seq, event: { trajectory } }) => {
    const { turns: _turns, error, ...columns } = trajectory;
    const marks = markTrajectory(trajectory);
    return {
      ...columns,
      marks,
      failureMode: marks.failureMode,
      firstBadTurn: marks.firstBadTurn,
      id: ids.get(seq),
      seq,
      errorStage: error?.stage ?? null,
      errorMessage: error?.message ?? null,
    };
  });
  await client.query(
    `INSERT INTO "Trajectory" ("id", "runId", "attempt", "seq", "step", "phase", "split", "taskId", "taskType",
       "goal", "group", "sample", "decoding", "evaluation", "seed", "reward", "shapedReward", "advantage", "success",
       "turnsCount", "givenTurns", "invalidActions", "promptTokens", "replyTokens", "prefilledTokens",
       "trainedTokens", "stopReason", "flags", "errorStage", "errorMessage", "strategy", "finalPicture", "finalObservation",
       "marks", "failureMode", "firstBadTurn")
     SELECT "id", $1, $2, "seq", "step", "phase", "split", "taskId", "taskType", "goal", "group", "sample",
       "decoding", "evaluation", "seed", "reward", "shapedReward", "advantage", "success", "turnsCount", "givenTurns", "invalidActions",
       "promptTokens", "replyTokens", "prefilledTokens", "trainedTokens", "stopReason", "flags", "errorStage",
       "errorMessage", "strategy", "finalPicture", "finalObservation", "marks", "failureMode", "firstBadTurn"
     FROM json_populate_recordset(NULL::"Trajectory", $3::json)`,
    [runId, attempt, JSON.stringify(rows)],
  );
  await insertTurns(
    client,
    events.flatMap(({ seq, event }) =>
      event.trajectory.turns.map((turn) => ({ ...turn, trajectoryId: ids.get(seq) })),
    ),
  );
  await insertFlags(
    client,
    runId,
    events.flatMap(({ event }) => event.trajectory.flags),
  );
  await client.query(
    `INSERT INTO "UnindexedTrajectory" ("trajectoryId", "runId", "turns")
     SELECT "id", "runId", "turnsCount" FROM "Trajectory" WHERE "id" = ANY($1::bigint[])`,
    [[...ids.values()]],
  );
  return ids;
}

async function reserveIds(
  client: pg.PoolClient,
  events: readonly EventOf<'trajectory:finished'>[],
): Promise<Map<number, string>> {
  const { rows } = await client.query<{ id: string; seq: number }>(
    `SELECT nextval(pg_get_serial_sequence('"Trajectory"', 'id'))::text AS id, seq FROM unnest($1::int[]) AS seq`,
    [events.map((event) => event.seq)],
  );
  return new Map(rows.map((row) => [row.seq, row.id]));
}

/** Keeps which flags the run has, for its filters. */
async function insertFlags(client: pg.PoolClient, runId: string, flags: readonly string[]): Promise<void> {
  if (flags.length === 0) return;
  await client.query(
    `INSERT INTO "TrajectoryFlag" ("runId", "flag") SELECT $1, * FROM unnest($2::text[]) ON CONFLICT DO NOTHING`,
    [runId, [...new Set(flags)]],
  );
}

async function insertTurns(
  client: pg.PoolClient,
  turns: readonly (Turn & { trajectoryId: string | undefined })[],
): Promise<void> {
  if (turns.length === 0) return;
  const rows = turns.map(({ tokens, ...columns }) => ({
    ...columns,
    tokenTexts: tokens?.texts ?? [],
    tokenIds: tokens ? hexBytes(encodeIntegers(tokens.ids)) : null,
    tokenLogprobs: tokens ? hexBytes(encodeLogprobs(tokens.logprobs)) : null,
    tokenEntropies: tokens?.entropies ? hexBytes(encodeLogprobs(tokens.entropies)) : null,
    tokenTeacherLogprobs: tokens?.teacherLogprobs ? hexBytes(encodeLogprobs(tokens.teacherLogprobs)) : null,
  }));
  await client.query(
    `INSERT INTO "Turn" ("trajectoryId", "index", "observation", "availableActions", "prompt", "reply", "thought",
       "action", "formatOk", "admissible", "valid", "reward", "memory", "promptTokens", "replyTokens", "tokenIds",
       "tokenTexts", "tokenLogprobs", "tokenEntropies", "tokenTeacherLogprobs", "picture", "stateHash")
     SELECT "trajectoryId", "index", "observation", "availableActions", "prompt", "reply", "thought", "action",
       "formatOk", "admissible", "valid", "reward", "memory", "promptTokens", "replyTokens", "tokenIds", "tokenTexts",
       "tokenLogprobs", "tokenEntropies", "tokenTeacherLogprobs", "picture", "stateHash"
     FROM json_populate_recordset(NULL::"Turn", $1::json)`,
    [JSON.stringify(rows)],
  );
}

/** As Postgres reads bytea from text. */
function hexBytes(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}
