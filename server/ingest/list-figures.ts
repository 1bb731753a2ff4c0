import type pg from 'pg';
import { fromWireNumber } from '@/contract/run-events';
import type { ParsedEvent } from './parse-events';
import { eventsOf } from './parsed-batch';

/** Keeps what lists of runs show without reading points and evaluations: sums of tokens and rates of success. */
export async function updateListFigures(
  client: pg.PoolClient,
  runId: string,
  events: readonly ParsedEvent[],
): Promise<void> {
  await addTokens(client, runId, events);
  if (eventsOf(events, 'evaluation:finished').length > 0) await updateRates(client, runId);
}

async function addTokens(
  client: pg.PoolClient,
  runId: string,
  events: readonly ParsedEvent[],
): Promise<void> {
  const sums = new Map<string, number>();
  for (const { event } of eventsOf(events, 'points:measured'))
    for (const { name, value } of event.points) {
      const tokens = fromWireNumber(value);
      if (name.startsWith('tokens/') && Number.isFinite(tokens))
        sums.set(name, (sums.get(name) ?? 0) + tokens);
    }
  if (sums.size === 0) return;
  await client.query(
    `INSERT INTO "TokenSum" ("runId", "name", "sum") SELECT $1, * FROM unnest($2::text[], $3::float8[])
     ON CONFLICT ("runId", "name") DO UPDATE SET "sum" = "TokenSum"."sum" + EXCLUDED."sum"`,
    [runId, [...sums.keys()], [...sums.values()]],
  );
}

/** Of sampled evaluations of checkpoints on valid_seen, the newest attempt at each step. */
async function updateRates(client: pg.PoolClient, runId: string): Promise<void> {
  await client.query(
    `UPDATE "Run" SET "lastRate" = rates.last, "bestRate" = rates.best FROM (
       SELECT max(rate) AS best, (array_agg(rate ORDER BY "step" DESC))[1] AS last FROM (
         SELECT DISTINCT ON ("step") "step", "successes"::double precision / "n" AS rate FROM "Evaluation"
         WHERE "runId" = $1 AND "policy" = 'checkpoint' AND "split" = 'valid_seen' AND "decoding" = 'sampled'
           AND "n" > 0
         ORDER BY "step", "attempt" DESC, "seq" DESC) figures) rates
     WHERE "id" = $1`,
    [runId],
  );
}
