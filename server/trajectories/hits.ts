import type { SearchHit } from '@/contract/trajectory-list';
import type { Database } from '../database';
import { readSearch } from './search';

/** Characters of a snippet, and how many of them come before the hit. */
const SNIPPET_CHARACTERS = 240;
const CHARACTERS_BEFORE = 80;

interface HitRow extends SearchHit {
  id: string;
}

/**
 * Where a search is found in each trajectory: the first turn that has it, and there the first text. Only the part around
 * it leaves the database, however long the text is.
 */
export async function findHits(
  database: Database,
  text: string,
  trajectories: readonly { id: string }[],
): Promise<Map<string, SearchHit>> {
  const { tsquery, pattern } = readSearch(text);
  const { rows } = await database.pool.query<HitRow>(
    `SELECT trajectory."id", found."index" AS "turn", place.source AS "source",
       substr(place.text, greatest(1, place.at - ${CHARACTERS_BEFORE}), ${SNIPPET_CHARACTERS}) AS "snippet"
     FROM unnest($1::bigint[]) AS asked(id) JOIN "Trajectory" trajectory ON trajectory."id" = asked.id
       CROSS JOIN LATERAL (SELECT "index" FROM "TurnWords" WHERE "trajectoryId" = trajectory."id"
         AND "words" @@ to_tsquery('simple', $2) ORDER BY "index", "part" LIMIT 1) found
       LEFT JOIN "Turn" turn ON turn."trajectoryId" = trajectory."id" AND turn."index" = found."index"
       CROSS JOIN LATERAL (SELECT source, text, regexp_instr(text, $3, 1, 1, 0, 'i') AS at FROM (VALUES
           (1, 'observation', CASE WHEN found."index" = trajectory."turnsCount" THEN trajectory."finalObservation"
              ELSE turn."observation" END),
           (2, 'reply', concat_ws(E'\\n', nullif(turn."reply", ''), turn."thought", nullif(turn."action", ''))),
           (3, 'memory', turn."memory"),
           (4, 'goal', CASE WHEN found."index" = 0 THEN trajectory."goal" END),
           (5, 'strategy', CASE WHEN found."index" = 0 THEN trajectory."strategy" END)) AS said(rank, source, text)
         WHERE text IS NOT NULL
         ORDER BY (regexp_instr(text, $3, 1, 1, 0, 'i') > 0) DESC, rank LIMIT 1) place`,
    [trajectories.map(({ id }) => id), tsquery, pattern],
  );
  return new Map(rows.map(({ id, ...hit }) => [id, hit]));
}
