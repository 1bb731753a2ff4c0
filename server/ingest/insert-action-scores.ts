import type pg from 'pg';
import type { EventOf } from './parsed-batch';

/** Stores the scores of recorded actions in a batch. */
export async function insertActionScores(
  client: pg.PoolClient,
  runId: string,
  attempt: number,
  events: readonly EventOf<'actions:scored'>[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ seq, event: { scored } }) => ({
    seq,
    trajectoryId: scored.trajectoryId,
    scores: scored,
  }));
  await client.query(
    `INSERT INTO "ActionScores" ("runId", "attempt", "seq", "trajectoryId", "scores")
     SELECT $1, $2, "seq", "trajectoryId", "scores" FROM json_populate_recordset(NULL::"ActionScores", $3::json)`,
    [runId, attempt, JSON.stringify(rows)],
  );
}
