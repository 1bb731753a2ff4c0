import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { registerWorker } from '@/server/workers/registry';
import { claimSample, launchSample, sampleWorker, TEST_LEASE } from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { claimRun } from './claim';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.pool.query(`TRUNCATE "Run", "Worker", "Point" CASCADE`));

/** Someone else, as the sweep, has the row of a run locked until it lets go. */
async function lockedRow(runId: string): Promise<pg.PoolClient> {
  const other = await database.pool.connect();
  await other.query('BEGIN');
  await other.query(`SELECT FROM "Run" WHERE "id" = $1 FOR UPDATE`, [runId]);
  return other;
}

async function letGo(other: pg.PoolClient): Promise<void> {
  await other.query('COMMIT');
  other.release();
}

/** Some statement of this database waits for a lock. */
function someoneWaits(): Promise<void> {
  return vi.waitFor(async () => {
    const { rows } = await database.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(rows).toHaveLength(1);
  });
}

async function claimByB() {
  const worker = sampleWorker('worker-b');
  await registerWorker(database, worker);
  return claimRun(database, worker, TEST_LEASE);
}

describe('a queued run whose row is locked', () => {
  it('is claimed as soon as it is let go', async () => {
    const runId = await launchSample(database);
    const other = await lockedRow(runId);
    const claim = claimByB();
    await someoneWaits();
    await letGo(other);
    expect((await claim)?.claimed.runId).toBe(runId);
  });

  it('is not waited for where another one is free', async () => {
    const first = await launchSample(database);
    const second = await launchSample(database);
    const other = await lockedRow(first);
    expect((await claimByB())?.claimed.runId).toBe(second);
    await letGo(other);
    expect((await claimSample(database, 'worker-a')).runId).toBe(first);
  });

  it('is not claimed where it is no longer queued once it is let go', async () => {
    const runId = await launchSample(database);
    const other = await lockedRow(runId);
    await other.query(`UPDATE "Run" SET "status" = 'stopped' WHERE "id" = $1`, [runId]);
    const claim = claimByB();
    await someoneWaits();
    await letGo(other);
    expect(await claim).toBeNull();
  });
});
