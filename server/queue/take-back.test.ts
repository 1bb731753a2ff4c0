import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registerWorker } from '@/server/workers/registry';
import { requestStop } from '../runs/commands';
import { requireRun } from '../runs/queries';
import {
  claimSample,
  launchSample,
  sampleWorker,
  status,
  TEST_LEASE,
  type SampleAttempt,
} from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { heartbeat } from './heartbeat';
import { takeBackLeft } from './sweep';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.pool.query(`TRUNCATE "Run", "Worker", "Point" CASCADE`));

const beat = ({ workerId, runId, attempt }: SampleAttempt) =>
  heartbeat(database, workerId, { runId, attempt });

describe('a run whose worker comes back without it', () => {
  it('is queued at once', async () => {
    await launchSample(database);
    const left = await claimSample(database, 'worker-a');
    await left.say(status('running'));
    const others = await launchSample(database);
    const other = await claimSample(database, 'worker-b');
    const takeBack = (connectedAt: Date) => takeBackLeft(database, 'worker-a', connectedAt, TEST_LEASE);
    const before = new Date(0);
    expect(await takeBack(before)).toEqual([]);
    const connectedAt = await registerWorker(database, sampleWorker('worker-a'));
    const [taken, ...more] = await takeBack(connectedAt);
    expect(taken).toMatchObject({
      runId: left.runId,
      published: [{ event: { status: 'queued', reason: expect.stringMatching(/^attempt 1 of 3 was lost/) } }],
    });
    expect(more).toEqual([]);
    expect((await requireRun(database, others)).run.status).toBe('starting');
    expect(await takeBack(connectedAt)).toEqual([]);
    expect((await claimSample(database, 'worker-a')).attempt).toBe(2);
    expect((await beat(left)).control).toBe('end');
    expect((await beat(other)).control).toBe('continue');
  });

  it('is left alone where it beats since its worker connected, and has stopped where it was stopping', async () => {
    await launchSample(database);
    const run = await claimSample(database, 'worker-a');
    await run.say(status('running'));
    const connectedAt = await registerWorker(database, sampleWorker('worker-a'));
    await beat(run);
    expect(await takeBackLeft(database, 'worker-a', connectedAt, TEST_LEASE)).toEqual([]);
    await requestStop(database, run.runId);
    const later = await registerWorker(database, sampleWorker('worker-a'));
    await takeBackLeft(database, 'worker-a', later, TEST_LEASE);
    expect((await requireRun(database, run.runId)).run).toMatchObject({
      status: 'stopped',
      reason: 'Worker worker-a came back without it while the run was stopping',
    });
  });
});
