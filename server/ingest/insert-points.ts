import type pg from 'pg';
import { fromWireNumber } from '@/contract/run-events';
import type { EventOf } from './parsed-batch';

/** Stores the points of a batch in two statements, however many; a point already stored is left as it is. */
export async function insertPoints(
  client: pg.PoolClient,
  runId: string,
  attempt: number,
  events: readonly EventOf<'points:measured'>[],
): Promise<void> {
  const points = events.flatMap(({ seq, at, event }) =>
    event.points.map(({ name, value }, ordinal) => ({
      name,
      seq,
      ordinal,
      step: event.step,
      value: fromWireNumber(value),
      at,
    })),
  );
  if (points.length === 0) return;
  await insertSeries(client, runId, new Set(points.map((point) => point.name)));
  await client.query(
    `INSERT INTO "Point" ("seriesId", "attempt", "seq", "ordinal", "step", "value", "at")
     SELECT series."id", $2, point.seq, point.ordinal, point.step, point.value, point.at
     FROM unnest($3::text[], $4::int[], $5::int[], $6::int[], $7::float8[], $8::bigint[])
       AS point(name, seq, ordinal, step, value, at)
     JOIN "Series" series ON series."runId" = $1 AND series."name" = point.name
     ON CONFLICT DO NOTHING`,
    [
      runId,
      attempt,
      points.map((point) => point.name),
      points.map((point) => point.seq),
      points.map((point) => point.ordinal),
      points.map((point) => point.step),
      points.map((point) => point.value),
      points.map((point) => point.at),
    ],
  );
}

/** Names that are there are passed over first, since a conflict would use up an id each time. */
async function insertSeries(client: pg.PoolClient, runId: string, names: Set<string>): Promise<void> {
  await client.query(
    `INSERT INTO "Series" ("runId", "name")
     SELECT $1, named.name FROM unnest($2::text[]) AS named(name)
     WHERE NOT EXISTS (SELECT FROM "Series" WHERE "runId" = $1 AND "name" = named.name)
     ON CONFLICT DO NOTHING`,
    [runId, [...names]],
  );
}
