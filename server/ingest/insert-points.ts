import type pg from 'pg';
import { fromWireNumber } from '@/contract/run-events';
import { BinaryRows, copyRows } from '../postgres/copy-rows';
import type { EventOf } from './parsed-batch';

/** A point on its way to its row. */
interface Row {
  seq: number;
  ordinal: number;
  step: number;
  value: number;
  at: number;
}

/**
 * Stores the points of a batch in three statements, however many; none of them may be stored already. Those of a series go
 * together: it is where they lie in the indexes.
 */
export async function insertPoints(
  client: pg.PoolClient,
  runId: string,
  attempt: number,
  events: readonly EventOf<'points:measured'>[],
): Promise<void> {
  const bySeries = rowsBySeries(events);
  if (bySeries.size === 0) return;
  const rows = new BinaryRows();
  for (const { id, name } of await seriesOf(client, runId, [...bySeries.keys()]))
    for (const { seq, ordinal, step, value, at } of bySeries.get(name) ?? []) {
      rows.row(7);
      rows.integer(id);
      rows.integer(attempt);
      rows.integer(seq);
      rows.integer(ordinal);
      rows.integer(step);
      rows.double(value);
      rows.bigint(at);
    }
  await copyRows(client, '"Point" ("seriesId", "attempt", "seq", "ordinal", "step", "value", "at")', rows);
}

function rowsBySeries(events: readonly EventOf<'points:measured'>[]): Map<string, Row[]> {
  const bySeries = new Map<string, Row[]>();
  for (const { seq, at, event } of events)
    event.points.forEach(({ name, value }, ordinal) => {
      const row = { seq, ordinal, step: event.step, value: fromWireNumber(value), at };
      const before = bySeries.get(name);
      if (before) before.push(row);
      else bySeries.set(name, [row]);
    });
  return bySeries;
}

/** The series of a run by name, made where they are not there, in the order of their ids. */
async function seriesOf(
  client: pg.PoolClient,
  runId: string,
  names: readonly string[],
): Promise<{ id: number; name: string }[]> {
  // Names that are there are passed over first, since a conflict would use up an id each time.
  await client.query(
    `INSERT INTO "Series" ("runId", "name")
     SELECT $1, named.name FROM unnest($2::text[]) AS named(name)
     WHERE NOT EXISTS (SELECT FROM "Series" WHERE "runId" = $1 AND "name" = named.name)
     ON CONFLICT DO NOTHING`,
    [runId, names],
  );
  const { rows } = await client.query<{ id: number; name: string }>(
    `SELECT "id", "name" FROM "Series" WHERE "runId" = $1 AND "name" = ANY($2) ORDER BY "id"`,
    [runId, names],
  );
  return rows;
}
