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
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT "id" FROM "Run" WHERE ${OVERDUE} ORDER BY "number"`,
    [lease.leaseMs, lease.leaseMs * REQUEUE_LEASES, HELD_STATUSES],
  );
  const swept: SweptRun[] = [];
  for (const { id } of rows) swept.push({ runId: id, published: await sweepRun(database, id, lease) });
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
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT "id" FROM "Run" WHERE ${LEFT_BEHIND} ORDER BY "number"`,
    [workerId, connectedAt, [...HELD_STATUSES, 'lost']],
  );
  const taken: SweptRun[] = [];
  for (const { id } of rows)
    taken.push({
      runId: id,
      published: await inTransaction(database, async (client) => {
        const run = await lockRun(client, id);
        const { rows: left } = await client.query<{ continuedAttempt: number }>(
          `SELECT "continuedAttempt" FROM "Run" WHERE ${LEFT_BEHIND} AND "id" = $4`,
          [workerId, connectedAt, [...HELD_STATUSES, 'lost'], id],
        );
        if (!left[0]) return [];
        return giveBack(client, run, left[0].continuedAttempt + lease.maxAttempts, {
          silence: `Worker ${workerId} came back without it`,
          lostFor: 'its worker came back without it',
        });
      }),
    });
  return taken;
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

async function sweepRun(database: Database, runId: string, lease: LeaseSettings): Promise<PublishedEvent[]> {
  return inTransaction(database, async (client) => {
    const run = await lockRun(client, runId);
    const { rows } = await client.query<{ overdue: boolean; continuedAttempt: number }>(
      `SELECT ${OVERDUE} AS overdue, "continuedAttempt" FROM "Run" WHERE "id" = $4`,
      [lease.leaseMs, lease.leaseMs * REQUEUE_LEASES, HELD_STATUSES, runId],
    );
    // It has beaten, or ended, since the list was read.
    if (!rows[0]?.overdue) return [];
    return takeAway(client, run, lease, rows[0].continuedAttempt + lease.maxAttempts);
  });
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
