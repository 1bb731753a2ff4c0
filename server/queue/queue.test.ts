import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunStatus } from '@/contract/run';
import { RUN_STATUSES } from '@/contract/run';
import { registerWorker, setConnected } from '@/server/workers/registry';
import { listCheckpoints } from '../checkpoints/queries';
import { requestStop } from '../runs/commands';
import { eventsAfter, requireRun } from '../runs/queries';
import { ALFWORLD_DEFAULTS } from '@/contract/environments/alfworld';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import {
  claimSample,
  launchSample,
  points,
  sampleWorker,
  status,
  TEST_LEASE,
  type SampleAttempt,
} from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { claimRun } from './claim';
import { heartbeat } from './heartbeat';
import { sweepLeases } from './sweep';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.pool.query(`TRUNCATE "Run", "Worker", "Point" CASCADE`));

async function statusOf(runId: string): Promise<RunStatus> {
  return (await requireRun(database, runId)).run.status;
}

/** As if the worker had been silent for so many leases. */
async function fallSilent(runId: string, leases: number): Promise<void> {
  await database.pool.query(
    `UPDATE "Run" SET "lastBeatAt" = "lastBeatAt" - $2::double precision * interval '1 millisecond' WHERE "id" = $1`,
    [runId, leases * TEST_LEASE.leaseMs],
  );
}

/** Silent long enough to be lost and then to be queued again. */
async function requeue(run: SampleAttempt): Promise<void> {
  await fallSilent(run.runId, 4);
  await sweepLeases(database, TEST_LEASE);
  await sweepLeases(database, TEST_LEASE);
}

function beat(run: SampleAttempt) {
  return heartbeat(database, run.workerId, { runId: run.runId, attempt: run.attempt });
}

describe('a claim', () => {
  it('takes the oldest queued run, starts its first attempt and says so', async () => {
    const first = await launchSample(database, { name: 'first' });
    await launchSample(database, { name: 'second' });
    const worker = sampleWorker('worker-a');
    await registerWorker(database, worker);
    const claim = await claimRun(database, worker, TEST_LEASE);
    expect(claim?.claimed).toEqual({
      runId: first,
      attempt: 1,
      name: 'first',
      recipe: 'grpo',
      preset: 'verify',
      config: GRPO_PRESETS.verify,
      resumeFrom: null,
      olderResumePoints: [],
      heartbeatMs: 10_000,
      leaseMs: 60_000,
    });
    const { run, worker: holder } = await requireRun(database, first);
    expect(run).toMatchObject({ status: 'starting', attempt: 1, workerName: 'name of worker-a' });
    expect(holder?.id).toBe('worker-a');
    expect((await eventsAfter(database, first, 0)).events).toEqual(claim?.published);
  });

  it('gives nothing where nothing is queued or the worker cannot do it', async () => {
    const worker = sampleWorker('worker-a');
    await registerWorker(database, worker);
    expect(await claimRun(database, worker, TEST_LEASE)).toBeNull();
    await launchSample(database, { engine: { ...GRPO_PRESETS.verify.engine, kind: 'tinker' } });
    expect(await claimRun(database, worker, TEST_LEASE)).toBeNull();
    expect(
      await claimRun(
        database,
        sampleWorker('worker-a', { engines: ['tinker'], recipes: ['dapo'] }),
        TEST_LEASE,
      ),
    ).toBeNull();
    expect(
      await claimRun(database, sampleWorker('worker-a', { engines: ['tinker'] }), TEST_LEASE),
    ).not.toBeNull();
  });

  it('gives a run only to a worker that can play in its environment', async () => {
    const worker = sampleWorker('worker-a');
    await registerWorker(database, worker);
    const runId = await launchSample(database, { environment: ALFWORLD_DEFAULTS });
    expect(await claimRun(database, worker, TEST_LEASE)).toBeNull();
    const playing = sampleWorker('worker-a', { environments: ['babyai', 'alfworld'] });
    expect((await claimRun(database, playing, TEST_LEASE))?.claimed.runId).toBe(runId);
  });

  it('never gives one run to two workers, however many ask at once', async () => {
    const runs = await Promise.all(Array.from({ length: 40 }, () => launchSample(database)));
    const workers = Array.from({ length: 12 }, (_, index) => sampleWorker(`worker-${index}`));
    for (const worker of workers) await registerWorker(database, worker);
    const claimed: string[] = [];
    await Promise.all(
      workers.map(async (worker) => {
        for (;;) {
          const claim = await claimRun(database, worker, TEST_LEASE);
          if (!claim) return;
          claimed.push(claim.claimed.runId);
        }
      }),
    );
    expect(claimed.sort()).toEqual(runs.sort());
  });
});

describe('a lease', () => {
  it('is kept by beats', async () => {
    await launchSample(database);
    const run = await claimSample(database, 'worker-a');
    await fallSilent(run.runId, 0.5);
    expect(await sweepLeases(database, TEST_LEASE)).toEqual([]);
    expect(await beat(run)).toEqual({ control: 'continue', published: [] });
    await fallSilent(run.runId, 0.5);
    expect(await sweepLeases(database, TEST_LEASE)).toEqual([]);
    expect(await statusOf(run.runId)).toBe('starting');
  });

  it('that runs out loses the run, at three times its length queues it again', async () => {
    await launchSample(database);
    const run = await claimSample(database, 'worker-a');
    await run.say(status('running'));
    await fallSilent(run.runId, 1.1);
    const [lost] = await sweepLeases(database, TEST_LEASE);
    expect(lost?.published).toMatchObject([{ seq: null, attempt: 1, event: { status: 'lost' } }]);
    expect(await sweepLeases(database, TEST_LEASE)).toEqual([]);
    await fallSilent(run.runId, 2);
    await sweepLeases(database, TEST_LEASE);
    expect((await requireRun(database, run.runId)).run).toMatchObject({
      status: 'queued',
      attempt: 1,
      workerName: null,
      reason: 'attempt 1 of 3 was lost; waiting for a worker to resume it',
    });
  });

  it('fails the run when its last attempt is lost', async () => {
    await launchSample(database);
    for (let attempt = 1; attempt <= TEST_LEASE.maxAttempts; attempt++) {
      const run = await claimSample(database, 'worker-a');
      expect(run.attempt).toBe(attempt);
      await requeue(run);
      expect(await statusOf(run.runId)).toBe(attempt < TEST_LEASE.maxAttempts ? 'queued' : 'failed');
    }
  });

  it('of a run that was stopping ends it as stopped', async () => {
    await launchSample(database);
    const run = await claimSample(database, 'worker-a');
    await requestStop(database, run.runId);
    await fallSilent(run.runId, 1.1);
    await sweepLeases(database, TEST_LEASE);
    expect(await statusOf(run.runId)).toBe('stopped');
    expect((await beat(run)).control).toBe('end');
    expect((await run.say(points(1, { 'a/b': 1 }))).answer.standing).toBe('superseded');
  });
});

describe('a worker that returns', () => {
  it.each([
    ['lost', 1.1, 1],
    ['queued', 4, 2],
  ] as const)('revives its run while it is %s', async (expected, leases, sweeps) => {
    await launchSample(database);
    const run = await claimSample(database, 'worker-a');
    await run.say(status('running'));
    await fallSilent(run.runId, leases);
    for (let swept = 0; swept < sweeps; swept++) await sweepLeases(database, TEST_LEASE);
    expect(await statusOf(run.runId)).toBe(expected);
    const revived = await heartbeat(database, 'worker-a', { runId: run.runId, attempt: 1 });
    expect(revived).toMatchObject({ control: 'continue', published: [{ event: { status: 'running' } }] });
    expect((await requireRun(database, run.runId)).run.workerName).toBe('name of worker-a');
    expect(await sweepLeases(database, TEST_LEASE)).toEqual([]);
    expect((await run.say(status('finished'))).answer.standing).toBe('current');
    expect(await statusOf(run.runId)).toBe('finished');
  });

  it('after a newer attempt is claimed is told to end; its data is stored, its control is not applied', async () => {
    await launchSample(database);
    const old = await claimSample(database, 'worker-a');
    await old.say(status('running'), points(1, { 'a/b': 1 }));
    await requeue(old);
    const young = await claimSample(database, 'worker-b');
    expect(young.attempt).toBe(2);
    await young.say(status('running'), points(1, { 'a/b': 10 }));
    expect((await beat(old)).control).toBe('end');
    const late = await old.say(points(2, { 'a/b': 2 }), status('finished'));
    expect(late.answer).toEqual({ acknowledgedSeq: 3, standing: 'superseded' });
    expect(late.published[1]?.event).toMatchObject({ kind: 'log:written', level: 'warn' });
    const { run, view } = await requireRun(database, young.runId);
    expect(run).toMatchObject({ status: 'running', attempt: 2, workerName: 'name of worker-b' });
    expect(view.latest['a/b']).toEqual({ step: 1, value: 10 });
    const { rows } = await database.pool.query(
      `SELECT "attempt", "step", "value" FROM "Point" ORDER BY "attempt", "step"`,
    );
    expect(rows).toEqual([
      { attempt: 1, step: 1, value: 1 },
      { attempt: 1, step: 2, value: 2 },
      { attempt: 2, step: 1, value: 10 },
    ]);
  });

  it('only to empty its outbox does not bring the run back to life, but may end it', async () => {
    await launchSample(database);
    const run = await claimSample(database, 'worker-a');
    await requeue(run);
    await run.say(status('running'), points(1, { 'a/b': 1 }));
    expect(await statusOf(run.runId)).toBe('queued');
    await run.say(status('finished'));
    expect(await statusOf(run.runId)).toBe('finished');
  });

  it('finds a run that was stopped meanwhile gone', async () => {
    await launchSample(database);
    const run = await claimSample(database, 'worker-a');
    await fallSilent(run.runId, 1.1);
    await sweepLeases(database, TEST_LEASE);
    const stopped = await requestStop(database, run.runId);
    expect(stopped).toMatchObject({ workerId: null, published: [{ event: { status: 'stopped' } }] });
    expect((await beat(run)).control).toBe('end');
    expect((await run.say(status('finished'))).answer.standing).toBe('superseded');
    expect(await statusOf(run.runId)).toBe('stopped');
  });

  it.each(RUN_STATUSES.filter((name) => name !== 'lost' && name !== 'queued'))(
    'or anybody else does not change a run that is %s by beating for a worker that does not hold it',
    async (name) => {
      await launchSample(database);
      const run = await claimSample(database, 'worker-a');
      await database.pool.query(
        `UPDATE "Run" SET "status" = $2, "view" = jsonb_set("view", '{status}', to_jsonb($2::text)) WHERE "id" = $1`,
        [run.runId, name],
      );
      const answer = await heartbeat(database, 'worker-b', { runId: run.runId, attempt: 1 });
      expect(answer).toEqual({ control: 'end', published: [] });
      expect(await statusOf(run.runId)).toBe(name);
    },
  );
});

describe('a stop', () => {
  it('ends a queued run at once and asks the worker of a running one', async () => {
    const queued = await launchSample(database);
    expect(await requestStop(database, queued)).toMatchObject({ workerId: null, attempt: 0 });
    expect(await statusOf(queued)).toBe('stopped');
    await launchSample(database);
    const run = await claimSample(database, 'worker-a');
    expect(await requestStop(database, run.runId)).toMatchObject({ workerId: 'worker-a', attempt: 1 });
    expect((await beat(run)).control).toBe('stop');
    // Asked again, it tells nothing new and names the worker once more.
    expect(await requestStop(database, run.runId)).toEqual({
      published: [],
      workerId: 'worker-a',
      attempt: 1,
    });
    await run.say(status('stopped'));
    await expect(requestStop(database, run.runId)).rejects.toMatchObject({ code: 'conflict' });
    await expect(requestStop(database, 'r-9999')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a resumed run', () => {
  it('starts from the newest complete checkpoint of any attempt', async () => {
    await launchSample(database);
    const first = await claimSample(database, 'worker-a');
    await first.saveCheckpoint(1, true);
    await first.saveCheckpoint(2, true);
    await first.say({
      kind: 'checkpoint:saved',
      checkpoint: {
        step: 3,
        parentStep: 2,
        files: [{ path: 'a', sha256: 'f'.repeat(64), size: 1 }],
        size: 1,
      },
      location: { kind: 'worker', workerId: 'worker-a', path: '/c/3' },
    });
    await requeue(first);
    const worker = sampleWorker('worker-b');
    await registerWorker(database, worker);
    const claim = await claimRun(database, worker, TEST_LEASE);
    expect(claim?.claimed.resumeFrom).toMatchObject({ step: 2, location: { kind: 'blob' } });
    expect(claim?.published[0]?.event).toMatchObject({ status: 'starting', resumedFromStep: 2 });
    expect((await requireRun(database, first.runId)).run).toMatchObject({ step: 2, attempt: 2 });
  });

  it('is told of the server’s copy where its worker had one too, which may be pruned by now', async () => {
    await launchSample(database);
    const first = await claimSample(database, 'worker-a');
    await first.saveCheckpoint(1, true);
    const [saved] = await listCheckpoints(database, first.runId);
    expect(saved?.locations.map(({ kind }) => kind)).toEqual(['worker', 'blob']);
    await requeue(first);
    const claim = await claimRun(database, sampleWorker('worker-a'), TEST_LEASE);
    expect(claim?.claimed.resumeFrom).toMatchObject({ step: 1, location: { kind: 'blob' } });
  });

  it('whose checkpoint is on one worker’s disk goes to that worker alone, and says what it waits for', async () => {
    await launchSample(database);
    const first = await claimSample(database, 'worker-a');
    await first.saveCheckpoint(1, false);
    await setConnected(database, 'worker-a', false);
    await requeue(first);
    const other = sampleWorker('worker-b');
    await registerWorker(database, other);
    expect(await claimRun(database, other, TEST_LEASE)).toBeNull();
    await sweepLeases(database, TEST_LEASE);
    const reason = async () => (await requireRun(database, first.runId)).run.reason;
    expect(await reason()).toBe(
      'Waiting: the checkpoint of step 1 is on worker worker-a, which is not connected',
    );
    expect(await sweepLeases(database, TEST_LEASE)).toEqual([]);
    await setConnected(database, 'worker-a', true);
    await sweepLeases(database, TEST_LEASE);
    expect(await reason()).toBeNull();
    const claim = await claimRun(database, sampleWorker('worker-a'), TEST_LEASE);
    expect(claim?.claimed.resumeFrom).toMatchObject({
      step: 1,
      location: { kind: 'worker', path: '/checkpoints/1' },
    });
  });

  it('names the busy workers that it waits for, until one of them is idle', async () => {
    await launchSample(database);
    const busy = await claimSample(database, 'worker-a');
    const runId = await launchSample(database);
    await sweepLeases(database, TEST_LEASE);
    const reason = async () => (await requireRun(database, runId)).run.reason;
    expect(await reason()).toBe(`Waiting: worker name of worker-a is busy with run ${busy.runId}`);
    expect(await sweepLeases(database, TEST_LEASE)).toEqual([]);
    const other = await claimSample(database, 'worker-b');
    const third = await launchSample(database);
    await sweepLeases(database, TEST_LEASE);
    expect((await requireRun(database, third)).run.reason).toBe(
      `Waiting: all 2 workers that can take it are busy: name of worker-a with run ${busy.runId}, ` +
        `name of worker-b with run ${other.runId}`,
    );
    await busy.say(status('finished'));
    await sweepLeases(database, TEST_LEASE);
    expect((await requireRun(database, third)).run.reason).toBeNull();
  });

  it('keeps what it says of its lost attempt while the workers that could resume it are busy', async () => {
    await launchSample(database);
    const lost = await claimSample(database, 'worker-a');
    await launchSample(database);
    await claimSample(database, 'worker-b');
    await setConnected(database, 'worker-a', false);
    await requeue(lost);
    expect((await requireRun(database, lost.runId)).run.reason).toMatch(/^attempt 1 of 3 was lost/);
  });

  it('waits with its reason where no connected worker has its engine', async () => {
    const runId = await launchSample(database, { engine: { ...GRPO_PRESETS.verify.engine, kind: 'tinker' } });
    await registerWorker(database, sampleWorker('worker-a'));
    await sweepLeases(database, TEST_LEASE);
    expect((await requireRun(database, runId)).run.reason).toBe(
      'Waiting: no connected worker has engine tinker, recipe grpo and environment babyai',
    );
  });
});
