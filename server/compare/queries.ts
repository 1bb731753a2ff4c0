import type {
  ComparableQuery,
  ComparableRun,
  ComparedCheckpoint,
  ComparedEvaluation,
  ComparedTask,
  ComparedTrajectory,
  Comparison,
} from '@/contract/compare';
import { MAX_COMPARED_TRAJECTORIES } from '@/contract/compare';
import type { CheckpointReference } from '@/contract/checkpoint';
import { hiddenWords, type MetricMark } from '@/contract/alert';
import { AppError } from '@/contract/errors';
import { EVALUATION_METRICS, evaluationSeries, EvaluationResult } from '@/contract/evaluation';
import type { Database } from '../database';

/** Runs that one search for checkpoints answers with. */
const MOST_RUNS = 30;

/** Evaluations of a run's own checkpoints; those of older versions have no key. */
const IS_OWN = `evaluation."policy" = 'checkpoint'
  AND (evaluation."key" IS NULL OR evaluation."key" ~>=~ 'own/' AND evaluation."key" ~<~ 'own0')`;

/** The asked checkpoints with their evaluations and trajectories. Throws `not_found`, and `too_large` beyond the bound. */
export async function readComparison(
  database: Database,
  asked: readonly CheckpointReference[],
): Promise<Comparison> {
  const checkpoints = await readCheckpoints(database, asked);
  const evaluations = await readEvaluations(database, asked);
  const trajectories = await readTrajectories(
    database,
    evaluations.map(({ id }) => id),
  );
  const marks = await readMarks(
    database,
    evaluations.map(({ runId }) => runId),
  );
  const tasks = new Map<string, ComparedTask>();
  const byEvaluation = new Map<number, ComparedTrajectory[]>();
  for (const { evaluationId, taskType, goal, ...trajectory } of trajectories) {
    const { taskId } = trajectory;
    if (!tasks.has(taskId)) tasks.set(taskId, { taskId, taskType, goal });
    const list = byEvaluation.get(evaluationId) ?? [];
    list.push(trajectory);
    byEvaluation.set(evaluationId, list);
  }
  for (const { id, place, runId, result } of evaluations) {
    const evaluation = EvaluationResult.parse(result);
    const hidden = hiddenMetrics(
      evaluation,
      marks.filter((mark) => mark.runId === runId),
    );
    checkpoints[place]?.evaluations.push({
      runId,
      evaluation,
      hidden,
      trajectories: byEvaluation.get(id) ?? [],
    });
  }
  return { checkpoints, tasks: [...tasks.values()] };
}

async function readCheckpoints(
  database: Database,
  asked: readonly CheckpointReference[],
): Promise<ComparedCheckpoint[]> {
  const { rows } = await database.pool.query<Omit<ComparedCheckpoint, 'step' | 'evaluations'>>(
    `SELECT "id" AS "runId", "name" AS "runName", "kind", "recipe", "seed",
       md5(("config" - 'seed')::text) AS "configHash"
     FROM "Run" WHERE "id" = ANY($1)`,
    [asked.map(({ runId }) => runId)],
  );
  return asked.map(({ runId, step }) => {
    const run = rows.find((row) => row.runId === runId);
    if (!run)
      throw new AppError('not_found', `no run has the id ${runId}`, [
        { path: 'c', message: `expected the id of a run before the @, got ${runId}` },
      ]);
    return { ...run, step, evaluations: [] };
  });
}

/**
 * Evaluations of the asked checkpoints, by `place` among them: the runs' own, and those that other runs were
 * asked for. Of one that a newer attempt repeated only the newest counts.
 */
async function readEvaluations(database: Database, asked: readonly CheckpointReference[]) {
  const { rows } = await database.pool.query<{ id: number; place: number; runId: string; result: unknown }>(
    `WITH asked AS (
       SELECT "runId", "step", "place"::int - 1 AS "place"
       FROM unnest($1::text[], $2::int[]) WITH ORDINALITY AS asked("runId", "step", "place")
     ), found AS (
       SELECT asked."place", evaluation.* FROM asked JOIN "Evaluation" evaluation
         ON evaluation."runId" = asked."runId" AND evaluation."step" = asked."step" AND ${IS_OWN}
       UNION ALL
       SELECT asked."place", evaluation.* FROM asked JOIN "Evaluation" evaluation
         ON evaluation."key" ~>=~ (asked."runId" || '/' || asked."step" || '/checkpoint/')
         AND evaluation."key" ~<~ (asked."runId" || '/' || asked."step" || '/checkpoint0')
     )
     SELECT "id", "place", "runId", "result" FROM (
       SELECT DISTINCT ON ("place", "runId", "split", "decoding", "key") * FROM found
       ORDER BY "place", "runId", "split", "decoding", "key", "attempt" DESC, "seq" DESC
     ) newest ORDER BY "place", "id"`,
    [asked.map(({ runId }) => runId), asked.map(({ step }) => step)],
  );
  return rows;
}

type RunMark = Pick<MetricMark, 'name' | 'reason'> & { runId: string };

/** Metrics of evaluations that were marked as saying nothing. */
async function readMarks(database: Database, runIds: readonly string[]): Promise<RunMark[]> {
  const { rows } = await database.pool.query<RunMark>(
    `SELECT "runId", "name", "reason" FROM "MetricMark" WHERE "runId" = ANY($1) AND starts_with("name", 'eval/')`,
    [runIds],
  );
  return rows;
}

function hiddenMetrics(
  evaluation: EvaluationResult,
  marks: readonly RunMark[],
): ComparedEvaluation['hidden'] {
  return Object.fromEntries(
    EVALUATION_METRICS.flatMap((metric) => {
      const mark = marks.find(({ name }) => name === evaluationSeries(evaluation, metric));
      return mark ? [[metric, hiddenWords(mark)]] : [];
    }),
  );
}

interface TrajectoryRecord extends ComparedTrajectory {
  evaluationId: number;
  taskType: string;
  goal: string;
}

const COUNTED = `"id", "attempt", "taskId", "taskType", "goal", "sample", "success", "turnsCount",
  "invalidActions", "replyTokens", "stopReason"`;

/**
 * Trajectories that the evaluations count: those that bear the key, by any attempt up to the one that ended it, since an
 * evaluation goes on where a lost attempt left it, and what a later one plays anew is of other weights; the newest of each
 * task and sample. Of older versions, those of the same attempt and settings.
 */
async function readTrajectories(
  database: Database,
  evaluationIds: readonly number[],
): Promise<TrajectoryRecord[]> {
  const { rows } = await database.pool.query<TrajectoryRecord>(
    `SELECT evaluation."id" AS "evaluationId", trajectory."id"::text, "taskId", "taskType", "goal", "success",
       "turnsCount" AS "turns", "invalidActions", "replyTokens", "stopReason"
     FROM "Evaluation" evaluation, LATERAL (
       SELECT DISTINCT ON ("taskId", "sample") * FROM (
         SELECT ${COUNTED} FROM "Trajectory"
         WHERE evaluation."key" IS NOT NULL AND "runId" = evaluation."runId" AND "evaluation" = evaluation."key"
           AND "attempt" <= evaluation."attempt"
         UNION ALL
         SELECT ${COUNTED} FROM "Trajectory"
         WHERE evaluation."key" IS NULL AND "runId" = evaluation."runId" AND "attempt" = evaluation."attempt"
           AND "step" = evaluation."step" AND "phase" = 'eval' AND "split" = evaluation."split"
           AND "decoding" = evaluation."decoding"
       ) counted ORDER BY "taskId", "sample", "attempt" DESC, "id" DESC
     ) trajectory
     WHERE evaluation."id" = ANY($1) AND "success" IS NOT NULL LIMIT ${MAX_COMPARED_TRAJECTORIES + 1}`,
    [evaluationIds],
  );
  if (rows.length > MAX_COMPARED_TRAJECTORIES)
    throw new AppError(
      'too_large',
      `these checkpoints have more than ${MAX_COMPARED_TRAJECTORIES} evaluated trajectories; compare fewer at once`,
    );
  return rows;
}

/** Runs with evaluated checkpoints whose id or name holds the text, the newest first. */
export async function listComparable(
  database: Database,
  { text }: ComparableQuery,
): Promise<ComparableRun[]> {
  const { rows } = await database.pool.query<ComparableRun>(
    `WITH candidate AS (
       SELECT "id", "name", "kind", "number" FROM "Run" run
       WHERE (strpos(lower("id"), lower($1)) > 0 OR strpos(lower("name"), lower($1)) > 0) AND (
         EXISTS (SELECT 1 FROM "Evaluation" evaluation WHERE evaluation."runId" = run."id" AND ${IS_OWN})
         OR EXISTS (SELECT 1 FROM "Evaluation" evaluation
           WHERE evaluation."key" ~>=~ (run."id" || '/') AND evaluation."key" ~<~ (run."id" || '0')))
       ORDER BY "number" DESC LIMIT ${MOST_RUNS}
     ), evaluated AS (
       SELECT candidate."id", evaluation."step", evaluation."split" FROM candidate
         JOIN "Evaluation" evaluation ON evaluation."runId" = candidate."id" AND ${IS_OWN}
       UNION
       SELECT candidate."id", evaluation."step", evaluation."split" FROM candidate
         JOIN "Evaluation" evaluation ON evaluation."policy" = 'checkpoint'
           AND evaluation."key" ~>=~ (candidate."id" || '/') AND evaluation."key" ~<~ (candidate."id" || '0')
     ), step AS (
       SELECT "id", "step", json_agg("split" ORDER BY "split") AS "splits" FROM evaluated GROUP BY "id", "step"
     )
     SELECT candidate."id" AS "runId", candidate."name" AS "runName", candidate."kind",
       json_agg(json_build_object('step', step."step", 'splits', step."splits") ORDER BY step."step") AS "steps"
     FROM candidate JOIN step ON step."id" = candidate."id"
     GROUP BY candidate."id", candidate."name", candidate."kind", candidate."number"
     ORDER BY candidate."number" DESC`,
    [text],
  );
  return rows;
}
