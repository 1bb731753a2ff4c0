import type { Database } from '../database';
import { sqlWords } from './search';

/** Characters indexed as one row; the overlap keeps words and phrases whole at the edge. */
const PART_CHARACTERS = 100_000;
const OVERLAP_CHARACTERS = 200;

/**
 * What a turn says, in one text: what was seen and what was written; with the first turn the goal and the strategy, after
 * the last turn what the environment said at the end. Prompts repeat these and are left out, and so are the available
 * actions, which name at every turn what did not happen.
 */
const SAID = `said AS (
  SELECT turn."trajectoryId", turn."index", concat_ws(E'\\n', turn."observation", turn."reply",
      CASE WHEN strpos(turn."reply", turn."thought") = 0 THEN turn."thought" END,
      CASE WHEN strpos(turn."reply", turn."action") = 0 THEN turn."action" END, turn."memory") AS text
    FROM "Turn" turn JOIN taken USING ("trajectoryId")
  UNION ALL
  SELECT trajectory."id", 0, concat_ws(E'\\n', trajectory."goal", trajectory."strategy")
    FROM "Trajectory" trajectory JOIN taken ON taken."trajectoryId" = trajectory."id"
  UNION ALL
  SELECT trajectory."id", trajectory."turnsCount", trajectory."finalObservation"
    FROM "Trajectory" trajectory JOIN taken ON taken."trajectoryId" = trajectory."id"
    WHERE trajectory."finalObservation" IS NOT NULL
)`;

/**
 * Makes up to `limit` trajectories searchable, the oldest first, and returns how many. In a transaction of its own that
 * locks none of their rows: ingest and readers go on beside it, and several of these take different ones.
 */
export async function indexTurns(database: Database, limit: number): Promise<number> {
  const { rows } = await database.pool.query<{ taken: number }>(
    `WITH taken AS (
       DELETE FROM "UnindexedTrajectory" WHERE "trajectoryId" IN (
         SELECT "trajectoryId" FROM "UnindexedTrajectory" ORDER BY "trajectoryId" LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING "trajectoryId"),
     ${SAID},
     texts AS (
       SELECT "trajectoryId", "index", string_agg(text, E'\\n') AS text FROM said GROUP BY "trajectoryId", "index"),
     stored AS (
       INSERT INTO "TurnWords" ("trajectoryId", "index", "part", "words")
       SELECT "trajectoryId", "index", part,
         ${sqlWords(`substr(text, part * ${PART_CHARACTERS} + 1, ${PART_CHARACTERS + OVERLAP_CHARACTERS})`)}
       FROM texts, generate_series(0, greatest(0, length(text) - 1) / ${PART_CHARACTERS}) part)
     SELECT count(*)::int AS taken FROM taken`,
    [limit],
  );
  return rows[0]?.taken ?? 0;
}
