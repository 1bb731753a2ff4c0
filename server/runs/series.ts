import type pg from 'pg';
import type { SeriesBucket, SeriesCurve, SeriesName, SeriesQuery, SeriesSum } from '@/contract/api';
import { MAX_INTEGER } from '@/contract/bounds';
import { toWireNumber } from '@/contract/run-events';
import { inTransaction, type Database } from '../database';

/** All statements see the same moment. */
const READ_ONLY = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
/** A curve's points are sorted in memory: by default a hundred thousand of them go through a file. */
const SORT_MEMORY = '32MB';

/** Names of a run's series with their numbers of points, by name. */
export async function listSeries(database: Database, runId: string): Promise<SeriesName[]> {
  const { rows } = await database.pool.query<SeriesName>(
    `SELECT series."name", counted.count FROM "Series" series,
       LATERAL (SELECT count(*)::int AS count FROM "Point" WHERE "seriesId" = series."id") counted
     WHERE series."runId" = $1 ORDER BY series."name"`,
    [runId],
  );
  return rows;
}

/**
 * The asked series in buckets of equal width over one range of steps, so that their buckets line up. The newest
 * attempt at a step counts; what it has overwritten comes apart, at most one point a bucket and attempt. A name
 * without points has no buckets. All as of one moment, named by `position`.
 */
export async function readSeries(
  database: Database,
  runId: string,
  query: SeriesQuery,
): Promise<SeriesCurve[]> {
  return inTransaction(
    database,
    async (client) => {
      const { position, attempt } = await standingOf(client, runId);
      const range = await stepRange(client, runId, query);
      const buckets = range ? await readBuckets(client, runId, query.name, range, attempt) : [];
      const overwritten = range && attempt > 1 ? await readOverwritten(client, runId, query.name, range) : [];
      return query.name.map((name) => ({
        name,
        buckets: buckets.filter((row) => row.name === name).map(({ name: _name, ...bucket }) => bucket),
        overwritten: overwritten
          .filter((row) => row.name === name)
          .map(({ attempt, step, value }) => ({ attempt, step, value: toWireNumber(value) })),
        position,
      }));
    },
    READ_ONLY,
  );
}

/** What the finite points of each asked series add up to, over all attempts, as of one moment. */
export async function sumSeries(
  database: Database,
  runId: string,
  names: readonly string[],
): Promise<SeriesSum[]> {
  return inTransaction(
    database,
    async (client) => {
      const { position, attempt } = await standingOf(client, runId);
      const { rows } = await client.query<Omit<SeriesSum, 'position'>>(
        `WITH ${rankedPoints(attempt)}
         SELECT "name", coalesce(sum("value") FILTER (WHERE finite), 0) AS "sum",
           coalesce(sum("value") FILTER (WHERE finite AND recency > 1), 0) AS "overwritten",
           (count(*) FILTER (WHERE finite))::int AS "count", max("step") AS "lastStep"
         FROM ranked GROUP BY "name"`,
        [runId, names, 0, MAX_INTEGER, 1],
      );
      return names.map((name) => {
        const row = rows.find((each) => each.name === name);
        return { name, sum: 0, overwritten: 0, count: 0, lastStep: null, ...row, position };
      });
    },
    READ_ONLY,
  );
}

/** Newest position and newest attempt of a run. */
async function standingOf(
  client: pg.PoolClient,
  runId: string,
): Promise<{ position: number; attempt: number }> {
  const { rows } = await client.query<{ position: number; attempt: number }>(
    `SELECT "position", "attempt" FROM "Run" WHERE "id" = $1`,
    [runId],
  );
  return rows[0] ?? { position: 0, attempt: 0 };
}

interface StepRange {
  from: number;
  to: number;
  /** Steps a bucket. */
  width: number;
}

/** The asked range, cut to the steps that have points; null where none has. */
async function stepRange(
  client: pg.PoolClient,
  runId: string,
  query: SeriesQuery,
): Promise<StepRange | null> {
  const { rows } = await client.query<{ first: number | null; last: number | null }>(
    `SELECT min(bounds.first) AS first, max(bounds.last) AS last FROM "Series" series,
       LATERAL (SELECT min("step") AS first, max("step") AS last FROM "Point" WHERE "seriesId" = series."id") bounds
     WHERE series."runId" = $1 AND series."name" = ANY($2)`,
    [runId, query.name],
  );
  const { first, last } = rows[0] ?? { first: null, last: null };
  if (first === null || last === null) return null;
  const from = Math.max(first, query.fromStep ?? first);
  const to = Math.min(last, query.toStep ?? last);
  return from > to ? null : { from, to, width: Math.ceil((to - from + 1) / query.buckets) };
}

/**
 * Points of the asked series ($1 run, $2 names) within $3..$4; `recency` 1 = of the newest attempt at its step. A run that
 * was tried once has nothing to rank. Grouped by the number of a series: names sort by collation, many times slower.
 */
function rankedPoints(attempts: number): string {
  const recency =
    attempts > 1
      ? 'dense_rank() OVER (PARTITION BY series."id", point."step" ORDER BY point."attempt" DESC)'
      : '1';
  return `ranked AS (
  SELECT series."id" AS series, series."name", point."attempt", point."seq", point."ordinal", point."step", point."value",
    (point."step" - $3) / $5 AS bucket,
    point."value" > '-Infinity' AND point."value" < 'Infinity' AS finite,
    ${recency} AS recency
  FROM "Series" series JOIN "Point" point ON point."seriesId" = series."id"
  WHERE series."runId" = $1 AND series."name" = ANY($2) AND point."step" BETWEEN $3 AND $4)`;
}

async function readBuckets(
  client: pg.PoolClient,
  runId: string,
  names: readonly string[],
  range: StepRange,
  attempts: number,
): Promise<(SeriesBucket & { name: string })[]> {
  await client.query(`SET LOCAL work_mem = '${SORT_MEMORY}'`);
  const { rows } = await client.query<SeriesBucket & { name: string }>(
    `WITH ${rankedPoints(attempts)},
     bucketed AS (
       SELECT series, bucket,
         min("value") FILTER (WHERE finite) AS "min", max("value") FILTER (WHERE finite) AS "max",
         array_agg("value" ORDER BY "step", "seq", "ordinal") FILTER (WHERE finite) AS "values",
         (count(*) FILTER (WHERE finite))::int AS "count", (count(*) FILTER (WHERE NOT finite))::int AS "nonFinite"
       FROM ranked WHERE recency = 1 GROUP BY series, bucket)
     SELECT "name", $3 + bucket * $5 AS "fromStep", least($4, $3 + bucket * $5 + $5 - 1) AS "toStep", "min", "max",
       "values"[1] AS "first", "values"["count"] AS "last", "count", "nonFinite"
     FROM bucketed JOIN "Series" ON "id" = series ORDER BY series, bucket`,
    [runId, names, range.from, range.to, range.width],
  );
  return rows;
}

async function readOverwritten(
  client: pg.PoolClient,
  runId: string,
  names: readonly string[],
  range: StepRange,
): Promise<{ name: string; attempt: number; step: number; value: number }[]> {
  const { rows } = await client.query<{ name: string; attempt: number; step: number; value: number }>(
    `WITH ${rankedPoints(2)}
     SELECT DISTINCT ON ("name", "attempt", bucket) "name", "attempt", "step", "value"
     FROM ranked WHERE recency > 1
     ORDER BY "name", "attempt", bucket, "step", "seq", "ordinal"`,
    [runId, names, range.from, range.to, range.width],
  );
  return rows;
}
