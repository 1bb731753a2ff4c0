import {
  RunsQuery,
  type ListedRun,
  type RunSelection,
  type RunSort,
  type RunsSummary,
} from '@/contract/run-list';
import { isDecimal, MAX_INTEGER } from '@/contract/bounds';
import type { TokenPrices } from '@/contract/cost';
import { AppError } from '@/contract/errors';
import type { RunStatus } from '@/contract/run';
import type { Database } from '../database';
import { SqlConditions } from '../sql-conditions';
import { RUN_COLUMNS, RUN_TABLES, toRunRow, type RunRecord } from './queries';

/** What each order goes by. A run that goes on has no duration yet: a value that grows would let pages overlap. */
const SORT_VALUES: Record<RunSort, string> = {
  newest: 'run."number"',
  name: 'lower(run."name")',
  step: 'run."step"',
  reward: `nullif(run."rewardMean", 'NaN')`,
  last: 'run."lastRate"',
  best: 'run."bestRate"',
  started: 'extract(epoch FROM run."startedAt")',
  duration: 'extract(epoch FROM run."finishedAt" - run."startedAt")',
};

/** Where a text filter looks. */
const SEARCHED = `lower(concat_ws(E'\\n', run."id", run."name", run."kind", run."recipe", run."preset",
  run."environment", 'seed ' || run."seed", worker."name"))`;

const FILTERED_TABLES = `"Run" run LEFT JOIN "Worker" worker ON worker."id" = run."workerId"`;

function selectionOf({ text, kind, recipe, environment }: RunSelection): SqlConditions {
  const conditions = new SqlConditions();
  for (const word of text?.split(/\s+/).filter(Boolean) ?? [])
    conditions.add(`strpos(${SEARCHED}, lower(?)) > 0`, word);
  conditions.add('run."kind" = ?', kind);
  conditions.add('run."recipe" = ?', recipe);
  conditions.add('run."environment" = ?', environment);
  return conditions;
}

type ListedRecord = RunRecord & {
  number: number;
  environment: string | null;
  tokens: Record<string, number> | null;
  prices: TokenPrices | null;
  /** As text, so that the cursor gives back the very value. */
  sortValue: string;
};

/** A page of the runs that match, by default the newest. Throws `invalid_input` where `after` is not of this order. */
export async function listRuns(
  database: Database,
  query: RunsQuery = RunsQuery.parse({}),
): Promise<ListedRun[]> {
  const { sort, direction, after, id, status, limit } = query;
  const conditions = selectionOf(query);
  conditions.add('run."status" = ANY(?)', status);
  conditions.add('run."id" = ANY(?)', id);
  const isText = sort === 'name';
  const missing = direction === 'desc' ? '-Infinity' : 'Infinity';
  const value = isText
    ? SORT_VALUES[sort]
    : `coalesce((${SORT_VALUES[sort]})::double precision, '${missing}')`;
  if (after !== undefined) {
    const last = readCursor(after, sort);
    conditions.addTuple(
      `(${value}, run."number") ${direction === 'desc' ? '<' : '>'} (?::${isText ? 'text' : 'double precision'}, ?::int)`,
      [last.value, last.number],
    );
  }
  // The page is picked first: figures and configs are read of its rows alone.
  const { rows } = await database.pool.query<ListedRecord>(
    `WITH page AS MATERIALIZED (
       SELECT run."id", ${value} AS "sortValue", run."number" FROM ${FILTERED_TABLES}
       WHERE ${conditions.where} ORDER BY 2 ${direction}, 3 ${direction} LIMIT ${conditions.parameter(limit)})
     SELECT ${RUN_COLUMNS}, run."number", run."environment", page."sortValue"::text AS "sortValue",
       nullif(run."config" -> 'cost', 'null'::jsonb) AS "prices", tokens.tokens
     FROM page JOIN ${RUN_TABLES} ON run."id" = page."id"
       LEFT JOIN LATERAL (SELECT json_object_agg("name", "sum") AS tokens FROM "TokenSum"
         WHERE "runId" = run."id") tokens ON true
     ORDER BY page."sortValue" ${direction}, page."number" ${direction}`,
    conditions.parameters,
  );
  return rows.map((record) => ({
    ...toRunRow(record),
    environment: record.environment,
    tokens: record.tokens ?? {},
    prices: record.prices,
    cursor: `${record.number}_${record.sortValue}`,
  }));
}

/** A cursor in its parts. Throws `invalid_input` where it is of another order, or of no row that there could be. */
function readCursor(after: string, sort: RunSort): { number: number; value: string } {
  const at = after.indexOf('_');
  const number = Number(after.slice(0, at));
  const value = after.slice(at + 1);
  // A run without a value comes last, by an infinity.
  const isValue = sort === 'name' || isDecimal(value) || /^-?Infinity$/.test(value);
  if (isValue && number <= MAX_INTEGER) return { number, value };
  throw new AppError('invalid_input', `after "${after}" is not of the order ${sort}`, [
    { path: 'after', message: 'expected the `cursor` of a row of the same order' },
  ]);
}

/** How many runs match, by status those that match the other filters, and what the filters can be set to. */
export async function summarizeRuns(database: Database, selection: RunSelection): Promise<RunsSummary> {
  const conditions = selectionOf(selection);
  const [counted, all] = await Promise.all([
    database.pool.query<{ status: RunStatus; count: number }>(
      `SELECT run."status", count(*)::int AS count FROM ${FILTERED_TABLES}
       WHERE ${conditions.where} GROUP BY run."status"`,
      conditions.parameters,
    ),
    database.pool.query<{ total: number; recipes: string[] | null; environments: string[] | null }>(
      `SELECT sum(count)::int AS total, array_agg(DISTINCT "recipe" ORDER BY "recipe") AS recipes,
         array_agg(DISTINCT "environment" ORDER BY "environment") FILTER (WHERE "environment" IS NOT NULL) AS environments
       FROM (SELECT "recipe", "environment", count(*) AS count FROM "Run" GROUP BY "recipe", "environment") kinds`,
    ),
  ]);
  const chosen = selection.status;
  const matching = counted.rows.filter(({ status }) => chosen === undefined || chosen.includes(status));
  const known = all.rows[0];
  return {
    matching: matching.reduce((sum, { count }) => sum + count, 0),
    total: known?.total ?? 0,
    statuses: Object.fromEntries(counted.rows.map(({ status, count }) => [status, count])),
    recipes: known?.recipes ?? [],
    environments: known?.environments ?? [],
  };
}
