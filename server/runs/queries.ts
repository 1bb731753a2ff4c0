import type { EvaluationFigure, EventsPage, RunDetail, RunRow } from '@/contract/api';
import { AppError } from '@/contract/errors';
import type { PublishedEvent, PublishedPayload } from '@/contract/run-events';
import type { RunView } from '@/contract/run-view';
import { MAX_REPLAYED_EVENTS } from '@/contract/socket';
import type { Database } from '../database';
import { DEFAULT_LEASE, type LeaseSettings } from '../queue/lease';

/** A row of the list before its times are numbers and its figures are picked. */
export interface RunRecord extends Omit<
  RunRow,
  'createdAt' | 'startedAt' | 'finishedAt' | 'lastEvaluation' | 'bestEvaluation'
> {
  workerId: string | null;
  lastBeatAt: Date | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  evaluations: EvaluationFigure[] | null;
}

/** Sampled evaluations of a run's checkpoints on valid_seen, the newest attempt at each step, oldest first. */
const FIGURES = `LATERAL (
  SELECT json_agg(figure ORDER BY figure."step") AS evaluations FROM (
    SELECT DISTINCT ON ("step") "step", "split", "successes", "n",
      count(*) OVER (PARTITION BY "step", "attempt")::int AS "evaluations" FROM "Evaluation"
    WHERE "runId" = run."id" AND "policy" = 'checkpoint' AND "split" = 'valid_seen' AND "decoding" = 'sampled'
    ORDER BY "step", "attempt" DESC, "seq" DESC) figure)`;

export const RUN_COLUMNS = `run."id", run."name", run."kind", run."recipe", run."preset", run."seed", run."status",
  run."reason", run."attempt", run."step", run."steps", run."workerId", worker."name" AS "workerName",
  run."lastBeatAt", run."createdAt", run."startedAt", run."finishedAt", run."rewardMean", figures.evaluations`;

export const RUN_TABLES = `"Run" run LEFT JOIN "Worker" worker ON worker."id" = run."workerId"
  LEFT JOIN ${FIGURES} figures ON true`;

/** A run with its view, all as of one moment, and the lease its server holds it by; throws `not_found`. */
export async function requireRun(
  database: Database,
  runId: string,
  lease: Pick<LeaseSettings, 'leaseMs' | 'heartbeatMs'> = DEFAULT_LEASE,
): Promise<RunDetail> {
  const { rows } = await database.pool.query<RunRecord & { config: unknown; view: RunView }>(
    `SELECT ${RUN_COLUMNS}, run."config", run."view" FROM ${RUN_TABLES} WHERE run."id" = $1`,
    [runId],
  );
  const record = rows[0];
  if (!record) throw unknownRun(runId);
  const { workerId, workerName, lastBeatAt, config, view } = record;
  const worker =
    workerId === null
      ? null
      : { id: workerId, name: workerName ?? workerId, lastBeatAt: lastBeatAt?.getTime() ?? null };
  return {
    run: toRunRow(record),
    config,
    view,
    worker,
    leaseMs: lease.leaseMs,
    heartbeatMs: lease.heartbeatMs,
  };
}

/**
 * The events after a position, oldest first; none and `refetch` where more than 1,000 were missed, or where the
 * position is ahead of the run's, as after a database was restored.
 */
export async function eventsAfter(
  database: Database,
  runId: string,
  afterPosition: number,
): Promise<EventsPage> {
  const { position } = await requirePosition(database, runId);
  const missed = position - afterPosition;
  if (missed < 0 || missed > MAX_REPLAYED_EVENTS) return { events: [], refetch: true };
  const rows = await database.prisma.runEvent.findMany({
    where: { runId, position: { gt: afterPosition } },
    orderBy: { position: 'asc' },
    take: MAX_REPLAYED_EVENTS,
  });
  const events = rows.map(({ position: at, attempt, seq, at: saidAt, payload }): PublishedEvent => ({
    position: at,
    attempt,
    seq,
    at: Number(saidAt),
    // Written by the ingest, which checked it.
    event: payload as unknown as PublishedPayload,
  }));
  return { events, refetch: false };
}

/** Name and newest position of a run; throws `not_found`. */
export async function requirePosition(
  database: Database,
  runId: string,
): Promise<{ name: string; position: number }> {
  const run = await database.prisma.run.findUnique({
    where: { id: runId },
    select: { name: true, position: true },
  });
  if (!run) throw unknownRun(runId);
  return run;
}

function unknownRun(runId: string): AppError {
  return new AppError('not_found', `no run has the id ${runId}`, [
    { path: 'runId', message: 'expected the id of a run' },
  ]);
}

export function toRunRow(record: RunRecord): RunRow {
  const { id, name, kind, recipe, preset, seed, status, reason, attempt, step, steps, workerName } = record;
  const figures = record.evaluations ?? [];
  return {
    id,
    name,
    kind,
    recipe,
    preset,
    seed,
    status,
    reason,
    attempt,
    step,
    steps,
    workerName,
    createdAt: record.createdAt.getTime(),
    startedAt: record.startedAt?.getTime() ?? null,
    finishedAt: record.finishedAt?.getTime() ?? null,
    rewardMean: record.rewardMean,
    lastEvaluation: figures[figures.length - 1] ?? null,
    bestEvaluation: bestFigure(figures),
  };
}

/** The highest rate; of equal ones the earliest, which took the least training. */
function bestFigure(figures: readonly EvaluationFigure[]): EvaluationFigure | null {
  const rate = ({ successes, n }: EvaluationFigure) => (n === 0 ? 0 : successes / n);
  return figures.reduce<EvaluationFigure | null>(
    (best, figure) => (best === null || rate(figure) > rate(best) ? figure : best),
    null,
  );
}
