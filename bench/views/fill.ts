import { METRICS } from '@/contract/metrics';
import { evaluationKey, type EvaluationResult } from '@/contract/evaluation';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { parseLaunch } from '@/contract/recipes/registry';
import { emptyRunView } from '@/contract/run-view';
import type { Trajectory } from '@/contract/trajectory';
import type { Database } from '@/server/database';
import { appendEvents } from '@/server/ingest/append-events';
import { claimRun } from '@/server/queue/claim';
import { DEFAULT_LEASE } from '@/server/queue/lease';
import { launchRun } from '@/server/runs/commands';
import { SEED_WORKER } from '@/server/seed/storyteller';
import { indexTurns } from '@/server/trajectories/index-turns';
import { registerWorker } from '@/server/workers/registry';
import { longTranscript, realTrajectories } from './transcripts';

export interface Filled {
  /** The run with many points and series. */
  heavyRunId: string;
  /** The run that has the many trajectories. */
  playedRunId: string;
  longTrajectoryId: string;
}

/** How much of everything there is. */
export interface Sizes {
  runs: number;
  points: number;
  series: number;
  trajectories: number;
  turns: number;
  tokensEach: number;
}

const TEMPLATES = 400;
const STEPS = 200;

/** Fills an empty, migrated database, each part the shortest way that leaves what ingest would have left. */
export async function fill(database: Database, sizes: Sizes, tell: (line: string) => void): Promise<Filled> {
  await registerWorker(database, SEED_WORKER);
  const heavyRunId = await told(database, 'many points', []);
  const templateRunId = await told(database, 'templates', realTrajectories(TEMPLATES));
  const playedRunId = await told(database, 'many trajectories', []);
  const longRunId = await told(database, 'a long transcript', [
    longTranscript(sizes.turns, sizes.tokensEach),
  ]);
  tell('texts played and indexed');
  while ((await indexTurns(database, 100)) > 0) continue;
  await addPoints(database, heavyRunId, sizes);
  tell(`${sizes.points} points of ${sizes.series} series`);
  await multiply(database, templateRunId, playedRunId, sizes.trajectories);
  tell(`${sizes.trajectories} trajectories`);
  await addRuns(database, sizes.runs);
  tell(`${sizes.runs} runs`);
  await database.pool.query('VACUUM ANALYZE');
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT "id" FROM "Trajectory" WHERE "runId" = $1`,
    [longRunId],
  );
  return { heavyRunId, playedRunId, longTrajectoryId: rows[0]?.id ?? '' };
}

/** A run that has told of the trajectories and finished. */
async function told(database: Database, name: string, trajectories: readonly Trajectory[]): Promise<string> {
  const demo = GRPO_PRESETS.demo;
  const config = { ...demo, steps: STEPS, engine: { ...demo.engine, kind: 'tinker' } };
  const { runId } = await launchRun(database, parseLaunch({ name, recipe: 'grpo', preset: 'demo', config }));
  const claim = await claimRun(database, SEED_WORKER, DEFAULT_LEASE);
  if (claim?.claimed.runId !== runId) throw new Error(`expected to claim ${runId}`);
  const events = [
    ...trajectories.map((trajectory) => ({ kind: 'trajectory:finished', trajectory }) as const),
    { kind: 'step:finished', step: STEPS, steps: STEPS } as const,
    { kind: 'status:changed', status: 'finished', reason: null, resumedFromStep: null } as const,
  ];
  await appendEvents(database, SEED_WORKER.workerId, {
    runId,
    attempt: 1,
    events: events.map((event, seq) => ({
      v: 1,
      runId,
      attempt: 1,
      seq,
      at: 1_700_000_000_000 + seq,
      event,
    })),
  });
  return runId;
}

/** The product's own metrics have a fifth of the points, so that some curves are long; the others share the rest. */
async function addPoints(database: Database, runId: string, { points, series }: Sizes): Promise<void> {
  const own = METRICS.map(({ name }) => name);
  const others = Array.from({ length: series - own.length }, (_, index) => `probe/layer_${index}/norm`);
  const insert = async (names: readonly string[], each: number) => {
    await database.pool.query(
      `WITH named AS (
         INSERT INTO "Series" ("runId", "name") SELECT $1, * FROM unnest($2::text[]) RETURNING "id")
       INSERT INTO "Point" ("seriesId", "attempt", "seq", "ordinal", "step", "value", "at")
       SELECT named."id", 1, step, 0, step, sin(step / 50.0) + random(), 1700000000000 + step
       FROM named, generate_series(1, $3::int) step`,
      [runId, names, each],
    );
  };
  await insert(own, Math.round(points / 5 / own.length));
  await insert(others, Math.round((points * 4) / 5 / others.length));
  const steps = Math.round(points / 5 / own.length);
  const latest = Object.fromEntries([...own, ...others].map((name) => [name, { step: steps, value: 0.5 }]));
  await database.pool.query(
    `UPDATE "Run" SET "view" = "view" || $2::jsonb, "steps" = $3, "step" = $3 WHERE "id" = $1`,
    [runId, JSON.stringify({ latest, step: steps, steps }), steps],
  );
}

/** Copies of the templates over the steps of another run, turns and index rows with them. */
async function multiply(
  database: Database,
  templateRunId: string,
  runId: string,
  count: number,
): Promise<void> {
  await database.pool.query(`DROP INDEX "TurnWords_words_idx"`);
  await database.pool.query(
    `CREATE TEMPORARY TABLE copies AS
     SELECT template."id" AS template, nextval(pg_get_serial_sequence('"Trajectory"', 'id')) AS id,
       number, number / ${TEMPLATES} AS round
     FROM generate_series(0, $2::int - 1) number JOIN (
       SELECT "id", row_number() OVER (ORDER BY "id") - 1 AS place FROM "Trajectory" WHERE "runId" = $1) template
     ON template.place = number % ${TEMPLATES}`,
    [templateRunId, count],
  );
  await copyRows(database, 'Trajectory', {
    from: `JOIN copies ON copies.template = row."id"`,
    changed: {
      id: 'copies.id',
      runId: `'${runId}'`,
      seq: 'copies.number + 10',
      step: `copies.round % ${STEPS}`,
      sample: `(copies.number / 16) % 8`,
      group: `copies.number % 16`,
      reward: 'row."reward" + copies.round / 1e5',
    },
  });
  for (const table of ['Turn', 'TurnWords'])
    await copyRows(database, table, {
      from: `JOIN copies ON copies.template = row."trajectoryId"`,
      changed: { trajectoryId: 'copies.id' },
    });
  await database.pool.query(`CREATE INDEX "TurnWords_words_idx" ON "TurnWords" USING GIN ("words")`);
  await database.pool.query(
    `UPDATE "Run" SET "view" = jsonb_set("view", '{trajectories}', to_jsonb($2::int)) WHERE "id" = $1`,
    [runId, count],
  );
}

async function copyRows(
  database: Database,
  table: string,
  { from, changed }: { from: string; changed: Record<string, string> },
): Promise<void> {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
       AND attgenerated = ''
     ORDER BY attnum`,
    [`"${table}"`],
  );
  const columns = rows.map(({ name }) => name);
  await database.pool.query(
    `INSERT INTO "${table}" (${columns.map((name) => `"${name}"`).join(', ')})
     SELECT ${columns.map((name) => changed[name] ?? `row."${name}"`).join(', ')} FROM "${table}" row ${from}`,
  );
}

/** Finished, failed, stopped and lost runs of several recipes, each with its evaluations and tokens. */
async function addRuns(database: Database, count: number): Promise<void> {
  const demo = GRPO_PRESETS.demo;
  await database.pool.query(
    `INSERT INTO "Run" ("id", "number", "name", "kind", "recipe", "preset", "seed", "config", "configVersion", "engine",
       "status", "attempt", "step", "steps", "rewardMean", "startedAt", "finishedAt", "position", "view", "workerId", "createdAt")
     SELECT 'r-' || number, number, (ARRAY['warm start', 'no penalty', 'longer context', 'seed sweep'])[1 + number % 4] || ' ' || number,
       (ARRAY['training', 'training', 'training', 'import', 'evaluation'])[1 + number % 5],
       (ARRAY['grpo', 'dapo', 'strata'])[1 + number % 3], 'demo', number % 10,
       jsonb_set($2::jsonb, '{seed}', to_jsonb(number % 10)), 1, 'onnx',
       (ARRAY['finished', 'finished', 'failed', 'stopped', 'lost'])[1 + number % 5], 1, number % 120, 120,
       sin(number), now() - number * interval '1 minute', now() - number * interval '30 seconds', 10, $3::jsonb, $4,
       now() - number * interval '1 minute'
     FROM generate_series(10001, 10000 + $1::int) number`,
    [
      count,
      JSON.stringify({
        ...demo,
        cost: { currency: 'USD', prefillPerMillion: 1, samplePerMillion: 2, trainPerMillion: 3 },
      }),
      JSON.stringify(emptyRunView('-')),
      SEED_WORKER.workerId,
    ],
  );
  const evaluation = {
    ...exampleEvaluation,
    environment: demo.environment.id,
    scaffold: demo.scaffold.id,
  } satisfies EvaluationResult;
  await database.pool.query(
    `INSERT INTO "Evaluation" ("runId", "attempt", "seq", "key", "step", "policy", "split", "decoding", "n", "successes", "result", "at")
     SELECT 'r-' || number, 1, step, $2 || step, step, 'checkpoint', 'valid_seen', 'sampled', 140, (number * 7 + step) % 140,
       $3::jsonb, 1700000000000
     FROM generate_series(10001, 10000 + $1::int) number, generate_series(0, 120, 12) step`,
    [count, evaluationKey(evaluation), JSON.stringify(evaluation)],
  );
  await database.pool.query(
    `UPDATE "Run" SET "lastRate" = rates.last, "bestRate" = rates.best FROM (
       SELECT "runId", max("successes" / 140.0) AS best, (array_agg("successes" / 140.0 ORDER BY "step" DESC))[1] AS last
       FROM "Evaluation" GROUP BY "runId") rates WHERE rates."runId" = "Run"."id"`,
  );
  await database.pool.query(
    `INSERT INTO "TokenSum" ("runId", "name", "sum")
     SELECT 'r-' || number, name, number * 1000.0 FROM generate_series(10001, 10000 + $1::int) number,
       unnest(ARRAY['tokens/prefilled', 'tokens/reused', 'tokens/sampled', 'tokens/trained']) name`,
    [count],
  );
}

const exampleEvaluation: EvaluationResult = {
  checkpoint: null,
  step: 0,
  policy: 'checkpoint',
  split: 'valid_seen',
  splitHash: 'bench',
  environment: 'babyai',
  environmentVersion: '1',
  environmentOptions: {},
  scaffold: 'recent-actions',
  decoding: 'sampled',
  temperature: 1,
  topK: 0,
  topP: 1,
  maxTurns: 10,
  maxReplyTokens: null,
  maxPromptTokens: null,
  seed: 1,
  n: 140,
  successes: 70,
  invalidActions: 3,
  turns: 900,
  rewardMean: 0.4,
  byTaskType: [{ taskType: 'GoTo', n: 140, successes: 70, invalidActions: 3, turns: 900 }],
  errors: 0,
  truncated: 0,
  seconds: 1.5,
};
