import type { Database } from '../database';

/** Steps that are read at a time. */
const STEPS_A_PAGE = 200;

interface MetricRow {
  step: number;
  name: string;
  value: number;
}

/**
 * A run's points as `npm run train` writes them to metrics.csv: `step,name,value`, the newest attempt's at each step, by step
 * and as they were measured. Some steps at a time.
 */
export async function* metricsCsv(database: Database, runId: string): AsyncGenerator<string> {
  yield 'step,name,value\n';
  const { rows: bounds } = await database.pool.query<{ first: number | null; last: number | null }>(
    `SELECT min(point."step") AS "first", max(point."step") AS "last"
     FROM "Series" series JOIN "Point" point ON point."seriesId" = series."id" WHERE series."runId" = $1`,
    [runId],
  );
  const { first, last } = bounds[0] ?? { first: null, last: null };
  if (first === null || last === null) return;
  for (let from = first; from <= last; from += STEPS_A_PAGE) {
    const rows = await metricRows(database, runId, { from, to: from + STEPS_A_PAGE - 1 });
    if (rows.length > 0)
      yield rows.map(({ step, name, value }) => `${step},${csvCell(name)},${value}\n`).join('');
  }
}

async function metricRows(
  database: Database,
  runId: string,
  { from, to }: { from: number; to: number },
): Promise<MetricRow[]> {
  const { rows } = await database.pool.query<MetricRow>(
    `SELECT "step", "name", "value" FROM (
       SELECT point.*, series."name",
         dense_rank() OVER (PARTITION BY series."id", point."step" ORDER BY point."attempt" DESC) AS recency
       FROM "Series" series JOIN "Point" point ON point."seriesId" = series."id"
       WHERE series."runId" = $1 AND point."step" BETWEEN $2 AND $3) ranked
     WHERE recency = 1 ORDER BY "step", "seq", "ordinal"`,
    [runId, from, to],
  );
  return rows;
}

/** Names of imports may hold what CSV has to quote (RFC 4180). */
function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
