import type pg from 'pg';
import type { PublishedEvent } from '@/contract/run-events';
import { HELD_STATUSES, type RunStatus } from '@/contract/run';
import { inTransaction, type Database } from '../database';
import { lockRun, recordServerEvent, type LockedRun } from '../runs/locked-run';
import { REQUEUE_LEASES, type LeaseSettings } from './lease';
import { explainWaiting } from './waiting';

export interface SweptRun {
  runId: string;
  published: PublishedEvent[];
}

/**
 * Takes runs from workers that no longer beat: lost after one lease, queued again after three, failed once no
 * attempt is left since it was launched or last continued; a run that was stopping has stopped. Then says of queued
 * runs what they wait for. Not to be called before the server has been up for one lease: until then workers could
 * not beat.
 */
export async function sweepLeases(database: Database, lease: LeaseSettings): Promise<SweptRun[]> {
  const swept = await forEachRun(
    database,
    { holds: OVERDUE, values: [lease.leaseMs, lease.leaseMs * REQUEUE_LEASES, HELD_STATUSES] },
    (client, run, continuedAttempt) => takeAway(client, run, lease, continuedAttempt + lease.maxAttempts),
  );
  return [...swept, ...(await explainWaiting(database))].filter((run) => run.published.length > 0);
}

/**
 * Takes from a worker that asks for work the runs that an earlier process of it held: one that has a run asks for none, and has
 * beaten for it since it connected. They need not wait for their leases.
 */
export async function takeBackLeft(
  database: Database,
  workerId: string,
  connectedAt: Date,
  lease: LeaseSettings,
): Promise<SweptRun[]> {
  return forEachRun(
    database,
    { holds: LEFT_BEHIND, values: [workerId, connectedAt, [...HELD_STATUSES, 'lost']] },
    (client, run, continuedAttempt) =>
      giveBack(client, run, continuedAttempt + lease.maxAttempts, {
        silence: `Worker ${workerId} came back without it`,
        lostFor: 'its worker came back without it',
      }),
  );
}

/** Whether a worker ($1) holds a row, in one of the statuses $3, that it has not beaten for since it connected ($2). */
const LEFT_BEHIND = `"workerId" = $1 AND "lastBeatAt" < $2 AND "status" = ANY($3)
  AND ("status" <> 'paused' OR "view" ->> 'awaitsPerson' IS DISTINCT FROM 'true')`;

/**
 * Whether a row's lease ($1 ms; lost: $2 ms) has run out; $3 are the statuses in which a worker holds it, unless it is
 * paused until a person continues it.
 */
const OVERDUE = `(
  "status" = ANY($3) AND ("status" <> 'paused' OR "view" ->> 'awaitsPerson' IS DISTINCT FROM 'true')
    AND "lastBeatAt" < clock_timestamp() - $1::double precision * interval '1 millisecond'
  OR "status" = 'lost' AND "lastBeatAt" < clock_timestamp() - $2::double precision * interval '1 millisecond')`;

/** Does `act` on each run of which the condition, over $1 to $3, holds, and holds still once its row is locked. */
async function forEachRun(
  database: Database,
  { holds, values }: { holds: string; values: readonly unknown[] },
  act: (client: pg.PoolClient, run: LockedRun, continuedAttempt: number) => Promise<PublishedEvent[]>,
): Promise<SweptRun[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT "id" FROM "Run" WHERE ${holds} ORDER BY "number"`,
    [...values],
  );
  const done: SweptRun[] = [];
  for (const { id } of rows) {
    const published = await inTransaction(database, async (client) => {
      const run = await lockRun(client, id);
      const { rows: still } = await client.query<{ continuedAttempt: number }>(
        `SELECT "continuedAttempt" FROM "Run" WHERE ${holds} AND "id" = $4`,
        [...values, id],
      );
      // It may have beaten, or ended, since the list was read.
      return still[0] ? act(client, run, still[0].continuedAttempt) : [];
    });
    done.push({ runId: id, published });
  }
  return done;
}

function takeAway(
  client: pg.PoolClient,
  run: LockedRun,
  lease: LeaseSettings,
  lastAttempt: number,
): Promise<PublishedEvent[]> {
  const seconds = lease.leaseMs / 1000;
  const silence = `Worker ${run.workerId ?? 'unknown'} was not heard of for ${seconds} s`;
  if (run.view.status !== 'lost' && run.view.status !== 'stopping')
    return changeStatus(client, run, 'lost', silence);
  return giveBack(client, run, lastAttempt, {
    silence,
    lostFor: `its worker was not heard of for ${seconds * REQUEUE_LEASES} s`,
  });
}

/** Queues a run whose worker is gone; one that was stopping has stopped, one without another attempt has failed. */
function giveBack(
  client: pg.PoolClient,
  run: LockedRun,
  lastAttempt: number,
  why: { silence: string; lostFor: string },
): Promise<PublishedEvent[]> {
  run.workerId = null;
  if (run.view.status === 'stopping')
    return changeStatus(client, run, 'stopped', `${why.silence} while the run was stopping`);
  const attempts = `attempt ${run.attempt} of ${lastAttempt}`;
  return run.attempt >= lastAttempt
    ? changeStatus(client, run, 'failed', `${attempts} was lost: ${why.lostFor}`)
    : changeStatus(client, run, 'queued', `${attempts} was lost; waiting for a worker to resume it`);
}

function changeStatus(
  client: pg.PoolClient,
  run: LockedRun,
  status: RunStatus,
  reason: string,
): Promise<PublishedEvent[]> {
  return recordServerEvent(client, run, { kind: 'status:changed', status, reason, resumedFromStep: null });
}
