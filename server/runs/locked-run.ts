import type pg from 'pg';
import { AppError } from '@/contract/errors';
import { fromWireNumber, type PublishedEvent, type PublishedPayload } from '@/contract/run-events';
import { applyRunEvent, type RunView } from '@/contract/run-view';
import { SCHEMA_VERSION } from '@/contract/version';
import { BinaryRows, copyRows } from '../postgres/copy-rows';

/** A run whose row this transaction holds: nobody else gives out its positions or changes its status meanwhile. */
export interface LockedRun {
  id: string;
  /** Newest attempt claimed; 0 = none. */
  attempt: number;
  workerId: string | null;
  view: RunView;
}

/** An event before it has its position. */
export interface SaidEvent {
  attempt: number;
  /** Null for what the server says itself. */
  seq: number | null;
  /** ms since 1970. */
  at: number;
  v: number;
  event: PublishedPayload;
}

/** Locks the run's row until the transaction ends; throws `not_found`. */
export async function lockRun(client: pg.PoolClient, runId: string): Promise<LockedRun> {
  const { rows } = await client.query<LockedRun>(
    `SELECT "id", "attempt", "workerId", "view" FROM "Run" WHERE "id" = $1 FOR UPDATE`,
    [runId],
  );
  const run = rows[0];
  if (!run)
    throw new AppError('not_found', `no run has the id ${runId}`, [{ path: 'runId', message: 'unknown' }]);
  return run;
}

/**
 * Gives the events their positions, stores them, folds them into the run's view and writes the row's columns from
 * that view. `run` is changed in place, as its row is. Returns what is to be told once the transaction has
 * committed.
 */
export async function recordEvents(
  client: pg.PoolClient,
  run: LockedRun,
  said: readonly SaidEvent[],
): Promise<PublishedEvent[]> {
  if (said.length === 0) return [];
  const first = run.view.position + 1;
  const published = said.map(({ attempt, seq, at, event }, index) => ({
    position: first + index,
    attempt,
    seq,
    at,
    event,
  }));
  await insertEvents(client, run.id, published, said);
  run.view = published.reduce(applyRunEvent, run.view);
  await writeRun(client, run);
  return published;
}

/** What the server itself says of a run's newest attempt, by the database's clock. */
export async function recordServerEvent(
  client: pg.PoolClient,
  run: LockedRun,
  event: PublishedPayload,
): Promise<PublishedEvent[]> {
  const at = await databaseTime(client);
  return recordEvents(client, run, [{ attempt: run.attempt, seq: null, at, v: SCHEMA_VERSION, event }]);
}

/** ms since 1970 by the database's clock, the one clock that leases and server events go by. */
async function databaseTime(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ at: string }>(
    `SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at`,
  );
  return Number(rows[0]?.at);
}

async function insertEvents(
  client: pg.PoolClient,
  runId: string,
  published: readonly PublishedEvent[],
  said: readonly SaidEvent[],
): Promise<void> {
  const rows = new BinaryRows();
  published.forEach(({ position, attempt, seq, at, event }, index) => {
    rows.row(8);
    rows.text(runId);
    rows.integer(position);
    rows.integer(attempt);
    rows.integer(seq);
    rows.bigint(at);
    rows.integer(said[index]?.v ?? SCHEMA_VERSION);
    rows.text(event.kind);
    rows.jsonb(event);
  });
  await copyRows(
    client,
    '"RunEvent" ("runId", "position", "attempt", "seq", "at", "v", "kind", "payload")',
    rows,
  );
}

async function writeRun(client: pg.PoolClient, { id, attempt, workerId, view }: LockedRun): Promise<void> {
  const reward = view.latest['reward/mean'];
  await client.query(
    `UPDATE "Run" SET "view" = $2, "position" = $3, "status" = $4, "reason" = $5, "step" = $6, "steps" = $7,
       "rewardMean" = $8, "startedAt" = to_timestamp($9::double precision / 1000),
       "finishedAt" = to_timestamp($10::double precision / 1000), "attempt" = $11, "workerId" = $12
     WHERE "id" = $1`,
    [
      id,
      JSON.stringify(view),
      view.position,
      view.status,
      view.reason,
      view.step,
      view.steps,
      reward ? fromWireNumber(reward.value) : null,
      view.startedAt,
      view.finishedAt,
      attempt,
      workerId,
    ],
  );
}
