import { AppError } from '@/contract/errors';
import { parseOrThrow } from '@/contract/parse';
import { CheckpointEvaluationConfig, evaluationUnits } from '@/contract/recipes/checkpoint-evaluation';
import type { EvaluationUnits, RequestedEvaluation } from '@/contract/requested-evaluation';
import { RunStatus } from '@/contract/run';
import type { Database } from '../database';
import { requireRun } from '../runs/queries';
import { listEvaluations } from './queries';

/** What is stored of each evaluation of the runs $1: one trajectory a task, the newest attempt's. */
const PLAYED = `SELECT "runId", "evaluation" AS "key", count(*)::int AS "played",
    count(*) FILTER (WHERE "success")::int AS "successes",
    count(*) FILTER (WHERE "stopReason" = 'error')::int AS "errors",
    count(*) FILTER (WHERE "stopReason" IN ('turn_limit', 'context_limit'))::int AS "truncated"
  FROM (
    SELECT DISTINCT ON ("runId", "evaluation", "taskId") "runId", "evaluation", "success", "stopReason"
    FROM "Trajectory" WHERE "runId" = ANY($1) AND "evaluation" IS NOT NULL
    ORDER BY "runId", "evaluation", "taskId", "attempt" DESC, "id" DESC
  ) newest GROUP BY "runId", "evaluation"`;

interface Played {
  runId: string;
  key: string;
  played: number;
  successes: number;
  errors: number;
  truncated: number;
}

/** Runs that evaluate checkpoints of `runId`, the newest first. */
export async function listRequestedEvaluations(
  database: Database,
  runId: string,
): Promise<RequestedEvaluation[]> {
  const { rows } = await database.pool.query<{
    id: string;
    name: string;
    status: string;
    reason: string | null;
    createdAt: Date;
    config: unknown;
    finished: number;
  }>(
    `SELECT run."id", run."name", run."status", run."reason", run."createdAt", run."config",
       (SELECT count(DISTINCT "key")::int FROM "Evaluation" WHERE "runId" = run."id") AS "finished"
     FROM "Run" run WHERE run."kind" = 'evaluation' AND run."recipe" = 'checkpoint-evaluation'
       AND run."config" #>> '{checkpoints,0,runId}' = $1
     ORDER BY run."number" DESC`,
    [runId],
  );
  const played = await playedOf(
    database,
    rows.map(({ id }) => id),
  );
  return rows.map(({ id, name, status, reason, createdAt, config, finished }) => {
    const { checkpoints, seeds, evaluation } = CheckpointEvaluationConfig.parse(config);
    const units = evaluationUnits({ checkpoints, seeds, evaluation });
    return {
      runId: id,
      name,
      status: RunStatus.parse(status),
      reason,
      createdAt: createdAt.getTime(),
      steps: checkpoints.map(({ step }) => step),
      splits: evaluation.splits,
      decodings: evaluation.decodings,
      seeds,
      finished,
      evaluations: units.length,
      played: played.filter((each) => each.runId === id).reduce((sum, each) => sum + each.played, 0),
      trajectories: units.reduce((sum, { tasks }) => sum + tasks, 0),
    };
  });
}

/**
 * The evaluations that a run has been asked for, each with its result or how far it has come. Throws `not_found`, and
 * `conflict` where the run evaluates no checkpoints of others.
 */
export async function requireEvaluationUnits(database: Database, runId: string): Promise<EvaluationUnits> {
  const { run, config: wanted } = await requireRun(database, runId);
  if (run.recipe !== 'checkpoint-evaluation')
    throw new AppError(
      'conflict',
      `run ${runId} is of recipe ${run.recipe}: it evaluates no checkpoints of another run`,
    );
  const config = parseOrThrow(CheckpointEvaluationConfig, wanted, 'config', 'config');
  const [played, results, names] = await Promise.all([
    playedOf(database, [runId]),
    listEvaluations(database, runId),
    database.prisma.run.findMany({
      where: { id: { in: config.checkpoints.map((checkpoint) => checkpoint.runId) } },
      select: { id: true, name: true },
    }),
  ]);
  const source = config.checkpoints[0]?.runId ?? '';
  return {
    source: { runId: source, name: names.find(({ id }) => id === source)?.name ?? null },
    config,
    units: evaluationUnits(config).map((unit) => {
      const stored = played.find(({ key }) => key === unit.key);
      return {
        ...unit,
        played: stored?.played ?? 0,
        successes: stored?.successes ?? 0,
        errors: stored?.errors ?? 0,
        truncated: stored?.truncated ?? 0,
        result: results.find(({ current, key }) => current && key === unit.key)?.evaluation ?? null,
      };
    }),
  };
}

async function playedOf(database: Database, runIds: readonly string[]): Promise<Played[]> {
  const { rows } = await database.pool.query<Played>(PLAYED, [runIds]);
  return rows;
}
