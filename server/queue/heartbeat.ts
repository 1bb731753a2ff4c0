import type { PublishedEvent } from '@/contract/run-events';
import { HELD_STATUSES, type RunStatus } from '@/contract/run';
import type { Control, RunAttempt } from '@/contract/socket';
import { inTransaction, type Database } from '../database';
import { lockRun, recordServerEvent } from '../runs/locked-run';

export interface Beaten {
  control: Control;
  published: PublishedEvent[];
}

/**
 * Renews the lease of an attempt and says what is wanted of its worker. A run that was lost, or queued again and
 * not claimed since, is running again; `end` where the attempt is no longer this worker's.
 */
export async function heartbeat(database: Database, workerId: string, beat: RunAttempt): Promise<Beaten> {
  await database.pool.query(`UPDATE "Worker" SET "lastBeatAt" = clock_timestamp() WHERE "id" = $1`, [
    workerId,
  ]);
  const { rows } = await database.pool.query<{ status: RunStatus }>(
    `UPDATE "Run" SET "lastBeatAt" = clock_timestamp()
     WHERE "id" = $1 AND "attempt" = $2 AND "workerId" = $3
       AND "status" = ANY($4)
     RETURNING "status"`,
    [beat.runId, beat.attempt, workerId, HELD_STATUSES],
  );
  const held = rows[0];
  if (held) return { control: held.status === 'stopping' ? 'stop' : 'continue', published: [] };
  return revive(database, workerId, beat);
}

async function revive(database: Database, workerId: string, { runId, attempt }: RunAttempt): Promise<Beaten> {
  const ended: Beaten = { control: 'end', published: [] };
  return inTransaction(database, async (client) => {
    const { rowCount } = await client.query(
      `SELECT FROM "Attempt" WHERE "runId" = $1 AND "attempt" = $2 AND "workerId" = $3`,
      [runId, attempt, workerId],
    );
    if (rowCount === 0) return ended;
    const run = await lockRun(client, runId);
    const { status } = run.view;
    if (run.attempt !== attempt || (status !== 'lost' && status !== 'queued')) return ended;
    await client.query(`UPDATE "Run" SET "lastBeatAt" = clock_timestamp() WHERE "id" = $1`, [runId]);
    run.workerId = workerId;
    const published = await recordServerEvent(client, run, {
      kind: 'status:changed',
      status: 'running',
      reason: null,
      resumedFromStep: null,
    });
    return { control: 'continue', published };
  });
}
