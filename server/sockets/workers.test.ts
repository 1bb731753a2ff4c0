import { createHash } from 'node:crypto';
import type { Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { WorkerRow } from '@/contract/api';
import type { ErrorBody } from '@/contract/errors';
import { parseLaunch } from '@/contract/recipes/registry';
import type { ClaimedRun, RunAttempt } from '@/contract/socket';
import { MAX_BATCH_BYTES, PROTOCOL_VERSION } from '@/contract/version';
import { launchRun, requestStop } from '../runs/commands';
import { eventsAfter, requireRun } from '../runs/queries';
import { aLaunch, somePoints, stamp } from '../testing/a-launch';
import { connectWorker, valueOf } from '../testing/connect';
import type { WorkerClient } from '../testing/connect';
import { sampleReport } from '../testing/sample-report';
import { fetchJson, startTestServer } from '../testing/start-server';
import type { TestServer } from '../testing/start-server';

const LEASE = { heartbeatMs: 200, leaseMs: 1_000, maxAttempts: 2 };

let server: TestServer;
let open: WorkerClient[] = [];
beforeAll(async () => {
  server = await startTestServer({ lease: LEASE });
});
afterAll(() => server.close());
afterEach(() => {
  for (const worker of open) worker.close();
  open = [];
});

async function openWorker(workerId = 'test-worker'): Promise<WorkerClient> {
  const worker = await connectWorker(server.url, server.workerToken, { workerId, name: workerId });
  open.push(worker);
  return worker;
}

/** Launches a run and claims it; whatever else is queued is claimed on the way. */
async function claimNew(worker: WorkerClient): Promise<ClaimedRun> {
  const { runId } = await launchRun(server.database, parseLaunch(aLaunch()));
  for (;;) {
    const claimed = valueOf(await worker.emitWithAck('run:claim'));
    if (!claimed) throw new Error(`run ${runId} was not offered`);
    if (claimed.runId === runId) return claimed;
  }
}

async function refusalOf(changes: Record<string, unknown>, token = server.workerToken) {
  const error: unknown = await connectWorker(server.url, token, changes).then(
    (worker) => {
      worker.close();
      return null;
    },
    (refused: unknown) => refused,
  );
  return (error as { data: ErrorBody } | null)?.data.error ?? null;
}

/** Seqs of what an attempt has sent, in stored order; what the server says of a run has none. */
async function storedSeqs(runId: string): Promise<number[]> {
  const { events } = await eventsAfter(server.database, runId, 0);
  return events.flatMap(({ seq }) => seq ?? []);
}

const statusOf = async (runId: string) => (await requireRun(server.database, runId)).run.status;

describe('a message of another shape', () => {
  it('is refused by name and changes nothing', async () => {
    const worker = await openWorker();
    const { runId } = await launchRun(server.database, parseLaunch(aLaunch()));
    const untyped = worker as unknown as Socket;
    const ask = async (event: string, ...rest: unknown[]): Promise<string> => {
      const answer = (await untyped.timeout(2_000).emitWithAck(event, ...rest)) as ErrorBody;
      return answer.error.message;
    };
    expect(await ask('run:claim', null)).toContain('run:claim came with 1 arguments');
    expect(await ask('run:heartbeat')).toContain('run:heartbeat came with 0 arguments');
    expect(await ask('events:append', {}, {})).toContain('events:append came with 2 arguments');
    expect(await ask('toString')).toContain('no event is called toString; expected one of run:claim');
    untyped.emit('run:claim');
    expect(await ask('run:heartbeat', null)).toContain('run:heartbeat is not valid');
    expect(await statusOf(runId)).toBe('queued');
    await requestStop(server.database, runId);
  });
});

describe('the handshake', () => {
  it('refuses a token the server does not know, whatever else is said', async () => {
    expect(await refusalOf({}, 'guess')).toMatchObject({ code: 'unauthorized' });
    expect(await refusalOf({ protocol: 99 }, 'guess')).toMatchObject({ code: 'unauthorized' });
  });

  it('names both versions to a worker of another protocol', async () => {
    const refusal = await refusalOf({ protocol: PROTOCOL_VERSION + 1, capabilities: 'of another shape' });
    expect(refusal?.code).toBe('conflict');
    expect(refusal?.message).toContain(`protocol ${PROTOCOL_VERSION + 1}`);
    expect(refusal?.message).toContain(`speaks ${PROTOCOL_VERSION}`);
  });

  it('names the wrong field', async () => {
    const refusal = await refusalOf({ workerId: 'Not An Id' });
    expect(refusal).toMatchObject({ code: 'invalid_input', issues: [{ path: 'workerId' }] });
  });

  it('shows the worker as connected until it leaves', async () => {
    const connected = async () => {
      const workers = (await fetchJson(`${server.url}/api/v1/workers`)).body as WorkerRow[];
      return workers.find((worker) => worker.id === 'coming-and-going')?.connected;
    };
    const worker = await openWorker('coming-and-going');
    await expect.poll(connected).toBe(true);
    worker.close();
    await expect.poll(connected).toBe(false);
  });

  it('shows what the worker says of its machine, and refuses what is no report by its field', async () => {
    const worker = await openWorker('with-gpu');
    expect(valueOf(await worker.emitWithAck('worker:report', sampleReport()))).toBeNull();
    const workers = (await fetchJson(`${server.url}/api/v1/workers`)).body as WorkerRow[];
    expect(workers.find(({ id }) => id === 'with-gpu')?.report).toEqual(sampleReport());
    const wrong = { ...sampleReport(), gpus: 'one H200' } as unknown as ReturnType<typeof sampleReport>;
    expect(await worker.emitWithAck('worker:report', wrong)).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', issues: [{ path: 'gpus' }] },
    });
  });

  it('takes a worker whose report is of another version, and shows none', async () => {
    const report = { gpus: 'one H200' } as unknown as ReturnType<typeof sampleReport>;
    const worker = await connectWorker(server.url, server.workerToken, { workerId: 'newer', report });
    open.push(worker);
    const workers = (await fetchJson(`${server.url}/api/v1/workers`)).body as WorkerRow[];
    expect(workers.find(({ id }) => id === 'newer')).toMatchObject({ report: null, reportedAt: null });
  });

  it('lets a worker that came back replace its older connection', async () => {
    const older = await openWorker('twice');
    const left = new Promise<string>((resolve) => older.once('disconnect', resolve));
    const newer = await openWorker('twice');
    expect(await left).toBe('io server disconnect');
    expect(newer.connected).toBe(true);
    await expect
      .poll(async () => {
        const workers = (await fetchJson(`${server.url}/api/v1/workers`)).body as WorkerRow[];
        return workers.find((worker) => worker.id === 'twice')?.connected;
      })
      .toBe(true);
  });
});

describe('work', () => {
  it('is announced at a launch and given to one worker only', async () => {
    const [one, two] = [await openWorker('one'), await openWorker('two')];
    const told = Promise.all(
      [one, two].map((worker) => new Promise<void>((resolve) => worker.once('work:available', resolve))),
    );
    await fetch(`${server.url}/api/v1/runs`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(aLaunch()),
    });
    await told;
    const claims = await Promise.all([one.emitWithAck('run:claim'), two.emitWithAck('run:claim')]);
    expect(claims.map((claim) => valueOf(claim) !== null).sort()).toEqual([false, true]);
  });

  it('is stored under its seq, whatever is sent twice', async () => {
    const worker = await openWorker();
    const run = await claimNew(worker);
    const events = stamp(run, somePoints(10));
    expect(valueOf(await worker.emitWithAck('events:append', { ...run, events }))).toEqual({
      acknowledgedSeq: 9,
      standing: 'current',
    });
    valueOf(await worker.emitWithAck('events:append', { ...run, events }));
    expect(await storedSeqs(run.runId)).toEqual(events.map(({ seq }) => seq));
  });

  it('may come as a blob, in its place among what is sent beside it', async () => {
    const worker = await openWorker();
    const run = await claimNew(worker);
    const events = stamp(run, somePoints(9));
    const bytes = Buffer.from(JSON.stringify(events.slice(3, 6)));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const batch = { ...run, events: [...events.slice(0, 3), ...events.slice(6)], blobs: [sha256] };
    const early = await worker.emitWithAck('events:append', batch);
    expect(!early.ok && early.error.code).toBe('not_found');
    await fetch(`${server.url}/api/v1/blobs/${sha256}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${server.workerToken}` },
      body: new Uint8Array(bytes),
    });
    expect(valueOf(await worker.emitWithAck('events:append', batch)).acknowledgedSeq).toBe(8);
    expect(await storedSeqs(run.runId)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('of many batches sent without waiting is stored in order', async () => {
    const worker = await openWorker();
    const run = await claimNew(worker);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, batch) =>
        worker.emitWithAck('events:append', {
          ...run,
          events: stamp(run, somePoints(5, batch * 5 + 1), batch * 5),
        }),
      ),
    );
    expect(answers.map((answer) => valueOf(answer).acknowledgedSeq)).toEqual(
      Array.from({ length: 20 }, (_, batch) => batch * 5 + 4),
    );
  });

  it('of the largest batch that is allowed gets through', async () => {
    const worker = await openWorker();
    const run = await claimNew(worker);
    const text = 'x'.repeat(19_000);
    const events = stamp(
      run,
      Array.from({ length: 13 }, () => ({ kind: 'log:written', level: 'info', message: text })),
    );
    expect(JSON.stringify(events).length).toBeLessThan(MAX_BATCH_BYTES);
    expect(valueOf(await worker.emitWithAck('events:append', { ...run, events })).acknowledgedSeq).toBe(12);
  });

  it.each([
    [
      'a point without a name',
      { kind: 'points:measured', step: 1, points: [{ value: 1 }] },
      /points\.0\.name/,
    ],
    ['a status that is none', { kind: 'status:changed', status: 'happy', reason: null }, /status/],
  ])('with %s is refused whole, and the field is named', async (_, event, field) => {
    const worker = await openWorker();
    const run = await claimNew(worker);
    const [good] = stamp(run, somePoints(1));
    if (!good) throw new Error('no event was stamped');
    const answer = await worker.emitWithAck('events:append', {
      ...run,
      events: [good, { ...good, seq: 1, event }],
    });
    expect(!answer.ok && answer.error.code).toBe('invalid_input');
    expect(JSON.stringify(answer)).toMatch(field);
    expect(await storedSeqs(run.runId)).toEqual([]);
  });

  it.each([
    ['events:append', { runId: 'r-0001', attempt: 0, events: [] }, 'attempt'],
    ['events:append', { runId: 'r-0001', attempt: 1, events: [{ v: 1 }] }, 'events.0.seq'],
    ['events:append', { runId: 'r-0001', attempt: 1, events: [], blobs: ['../x'] }, 'blobs.0'],
    ['run:heartbeat', { runId: 'r-0001' }, 'attempt'],
    ['run:rejoin', [{ runId: 'r-0001', attempt: 'one' }], '0.attempt'],
  ] as const)('%s with %j is told which field is wrong', async (event, message, path) => {
    const worker = await openWorker();
    const answer = await worker.emitWithAck(event as 'run:heartbeat', message as unknown as RunAttempt);
    expect(!answer.ok && answer.error.issues.map((issue) => issue.path)).toContain(path);
  });
});

describe('a stop', () => {
  it('reaches the worker at once and with its next beat, and ends when the worker says so', async () => {
    const worker = await openWorker();
    const run = await claimNew(worker);
    valueOf(
      await worker.emitWithAck('events:append', {
        ...run,
        events: stamp(run, [
          { kind: 'status:changed', status: 'running', reason: null, resumedFromStep: null },
        ]),
      }),
    );
    const told = new Promise<RunAttempt>((resolve) => worker.once('run:stop', resolve));
    const answer = await fetchJson(`${server.url}/api/v1/runs/${run.runId}/stop`, { method: 'POST' });
    expect(answer.status).toBe(200);
    expect(await told).toEqual({ runId: run.runId, attempt: run.attempt });
    expect(await statusOf(run.runId)).toBe('stopping');
    const { runId, attempt } = run;
    expect(valueOf(await worker.emitWithAck('run:heartbeat', { runId, attempt }))).toEqual({
      control: 'stop',
    });
    valueOf(
      await worker.emitWithAck('events:append', {
        ...run,
        events: stamp(
          run,
          [{ kind: 'status:changed', status: 'stopped', reason: null, resumedFromStep: null }],
          1,
        ),
      }),
    );
    expect(await statusOf(run.runId)).toBe('stopped');
  });
});

describe('a lease', () => {
  it('is kept by beats; without them the run is lost, queued again and failed at the limit', async () => {
    const worker = await openWorker();
    const run = await claimNew(worker);
    const { runId, attempt } = run;
    const until = Date.now() + 2 * LEASE.leaseMs;
    while (Date.now() < until) {
      valueOf(await worker.emitWithAck('run:heartbeat', { runId, attempt }));
      await new Promise((resolve) => setTimeout(resolve, LEASE.heartbeatMs));
    }
    expect(await statusOf(runId)).toBe('starting');
    await expect.poll(() => statusOf(runId), { timeout: 10_000 }).toBe('lost');
    await expect.poll(() => statusOf(runId), { timeout: 10_000 }).toBe('queued');
    let second: ClaimedRun | null;
    do second = valueOf(await worker.emitWithAck('run:claim'));
    while (second && second.runId !== runId);
    expect(second).toMatchObject({ runId, attempt: 2 });
    expect(valueOf(await worker.emitWithAck('run:heartbeat', { runId, attempt }))).toEqual({
      control: 'end',
    });
    await expect.poll(() => statusOf(runId), { timeout: 15_000 }).toBe('failed');
  });

  it('is not judged until a restarted server has been up for one lease', async () => {
    const worker = await openWorker('patient');
    const { runId, attempt } = await claimNew(worker);
    await server.stop();
    // Longer than a lease: were the sweep to come with the start, the run would be lost before its worker is back.
    await new Promise((resolve) => setTimeout(resolve, 1.5 * LEASE.leaseMs));
    const back = new Promise<void>((resolve) => worker.once('connect', () => resolve()));
    await server.restart();
    await back;
    expect(valueOf(await worker.emitWithAck('run:rejoin', [{ runId, attempt }]))).toEqual([
      { control: 'continue' },
    ]);
    await new Promise((resolve) => setTimeout(resolve, LEASE.heartbeatMs));
    const { events } = await eventsAfter(server.database, runId, 0);
    expect(JSON.stringify(events)).not.toContain('lost');
    await requestStop(server.database, runId);
  });
});
