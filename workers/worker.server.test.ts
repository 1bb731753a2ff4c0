import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@/server/testing/test-database';
import { REPOSITORY_DIR } from './env';
import { Deployment } from './testing/deployment';
import { eventually, readServerFiles, TestProgram } from './testing/programs';
import { tinyConfig, writeTinyBase } from './testing/tiny-training';

const LEASE_MS = 2000;

let database: TestDatabase;
let deployment: Deployment;
beforeAll(async () => {
  database = await openTestDatabase();
  deployment = await Deployment.open({ databaseUrl: database.url, leaseMs: LEASE_MS, env: process.env });
});
afterEach(() => deployment.killWorkers());
afterAll(async () => {
  await deployment?.close();
  await database?.close();
});

const launch: Deployment['launch'] = (...run) => deployment.launch(...run);
const startWorker = (name: string): TestProgram => deployment.startWorker(name);
const runReaches: Deployment['runReaches'] = (...wanted) => deployment.runReaches(...wanted);
const reachesStep: Deployment['reachesStep'] = (...wanted) => deployment.reachesStep(...wanted);
const reachesStatus: Deployment['reachesStatus'] = (...wanted) => deployment.reachesStatus(...wanted);

interface StoredPoint {
  attempt: number;
  seq: number;
  name: string;
  step: number;
  value: number;
  /** ms since 1970 */
  at: number;
}

async function storedPoints(runId: string): Promise<StoredPoint[]> {
  const { rows } = await database.pool.query<StoredPoint>(
    `SELECT point."attempt", point."seq", series."name", point."step", point."value",
       point."at"::double precision AS at
     FROM "Point" point JOIN "Series" series ON series."id" = point."seriesId"
     WHERE series."runId" = $1 ORDER BY series."name", point."step", point."attempt"`,
    [runId],
  );
  return rows;
}

/** The newest attempt's value of each series at each step, without what measures time. */
function newestValues(points: StoredPoint[]): Map<string, number> {
  const sorted = [...points].sort((a, b) => a.attempt - b.attempt || a.seq - b.seq);
  return new Map(
    sorted
      .filter(({ name }) => !name.startsWith('time/'))
      .map(({ name, step, value }): [string, number] => [`${name}@${step}`, value]),
  );
}

/** Seqs of an attempt's stored events: 0, 1, 2, ... where each arrived once. */
async function storedSeqs(runId: string, attempt: number): Promise<number[]> {
  const { rows } = await database.pool.query<{ seq: number }>(
    `SELECT "seq" FROM "RunEvent" WHERE "runId" = $1 AND "attempt" = $2 AND "seq" IS NOT NULL ORDER BY "seq"`,
    [runId, attempt],
  );
  return rows.map((row) => row.seq);
}

function expectEachOnce(seqs: number[]): void {
  expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, i) => i));
  expect(seqs.length).toBeGreaterThan(0);
}

/** What became of a run from its first claim on; a run that waits may say several times for what. */
async function statuses(runId: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ status: string }>(
    `SELECT "payload"->>'status' AS status FROM "RunEvent"
     WHERE "runId" = $1 AND "payload"->>'kind' = 'status:changed' ORDER BY "position"`,
    [runId],
  );
  const said = rows.map((row) => row.status);
  return said.slice(said.indexOf('starting')).filter((status, i, all) => status !== all[i - 1]);
}

describe('a worker process', () => {
  it('trains a run to its end, uploads its checkpoints, and then the next', async () => {
    const first = await launch('first', { steps: 6 });
    const second = await launch('second', { steps: 6 });
    startWorker('one');
    const detail = await reachesStatus(first, 'finished');
    expect(detail.view.step).toBe(6);
    expect(detail.view.checkpoints.filter(({ complete }) => complete).map(({ step }) => step)).toContain(5);
    await reachesStatus(second, 'finished');
    expect(await statuses(first)).toEqual(['starting', 'running', 'finished']);
    expectEachOnce(await storedSeqs(first, 1));
    expect(newestValues(await storedPoints(second))).toEqual(newestValues(await storedPoints(first)));
    await eventually(
      () => !existsSync(join(deployment.root, 'one/outbox', `${second}.1`)),
      () => `the outbox is empty: ${readdirSync(join(deployment.root, 'one/outbox')).join()}`,
    );
  });

  it('is lost when killed; another that shares no disk resumes from the last uploaded checkpoint', async () => {
    const undisturbed = await launch('undisturbed');
    const patient = startWorker('patient');
    await reachesStatus(undisturbed, 'finished');
    await patient.end('SIGTERM');

    const runId = await launch('disturbed');
    const killed = startWorker('killed');
    const before = await runReaches(
      runId,
      ({ view }) => view.step >= 12 && view.checkpoints.some(({ step, complete }) => complete && step >= 5),
    );
    await killed.end('SIGKILL');
    const killedAt = Date.now();
    await reachesStatus(runId, 'lost');
    expect(Date.now() - killedAt).toBeLessThan(LEASE_MS * 2 + 2000);

    startWorker('other');
    const after = await reachesStatus(runId, 'finished');
    expect(after.run.attempt).toBe(2);
    expect(after.view.resumedFromStep).toBeGreaterThanOrEqual(5);
    expect(existsSync(join(deployment.root, 'other/checkpoints'))).toBe(true);
    expect(await statuses(runId)).toEqual([
      ...['starting', 'running', 'lost', 'queued'],
      ...['starting', 'running', 'finished'],
    ]);
    const points = await storedPoints(runId);
    const overwritten = points.filter(
      ({ attempt, step }) => attempt === 1 && step > (after.view.resumedFromStep ?? 0),
    );
    expect(
      Math.max(...points.filter(({ attempt }) => attempt === 1).map(({ step }) => step)),
    ).toBeGreaterThanOrEqual(before.view.step);
    expect(overwritten.length).toBeGreaterThan(0);
    expectEachOnce(await storedSeqs(runId, 2));
    expect(newestValues(points)).toEqual(newestValues(await storedPoints(undisturbed)));
  });

  it('that is killed and started again goes on from its checkpoint', async () => {
    const runId = await launch('killed and back');
    const killed = startWorker('same');
    await runReaches(runId, ({ view }) => view.checkpoints.some(({ complete }) => complete));
    await killed.end('SIGKILL');
    startWorker('same');
    const after = await reachesStatus(runId, 'finished');
    expect(after.run.attempt).toBe(2);
    // A machine that takes longer than a lease to start it has seen it lost before.
    expect((await statuses(runId)).filter((each) => each !== 'lost')).toEqual([
      ...['starting', 'running', 'queued'],
      ...['starting', 'running', 'finished'],
    ]);
    expectEachOnce(await storedSeqs(runId, 1));
  });

  it('trains on while the server is dead, and every point arrives once', async () => {
    const runId = await launch('server killed', { steps: 120 });
    const worker = startWorker('steady');
    await reachesStep(runId, 5);
    await deployment.server?.end('SIGKILL');
    const killedAt = Date.now();
    await sleep(LEASE_MS * 2);
    expect(worker.isRunning).toBe(true);
    const backAt = Date.now();
    await deployment.startServer();
    const detail = await reachesStatus(runId, 'finished');
    expect(detail.run.attempt).toBe(1);
    expect(await statuses(runId)).toEqual(['starting', 'running', 'finished']);
    expectEachOnce(await storedSeqs(runId, 1));
    const points = await storedPoints(runId);
    const rewards = points.filter(({ name }) => name === 'reward/mean').map(({ step }) => step);
    expect(rewards).toEqual(Array.from({ length: 120 }, (_, i) => i + 1));
    expect(points.filter(({ at }) => at > killedAt && at < backAt).length).toBeGreaterThan(0);
  });

  it('sends after a restart what it had not sent, and resumes from a checkpoint it had not uploaded', async () => {
    const runId = await launch('both killed', { steps: 400 });
    const first = startWorker('restarted');
    await reachesStep(runId, 3);
    await deployment.server?.end('SIGKILL');
    const checkpoints = join(deployment.root, 'restarted/checkpoints', runId, '1');
    const saved = await eventually(
      () => existsSync(checkpoints) && readdirSync(checkpoints).filter((name) => name.endsWith('.json'))[2],
      () => `a third checkpoint is saved: ${first.output}`,
    );
    await first.end('SIGKILL');
    await deployment.startServer();
    startWorker('restarted');
    const { view } = await runReaches(runId, ({ run }) => run.attempt === 2 && run.status === 'running');
    expect(view.resumedFromStep).toBeGreaterThanOrEqual(Number(/\d+/.exec(saved)?.[0]));
    expectEachOnce(await storedSeqs(runId, 1));
    await deployment.stopRun(runId);
    await reachesStatus(runId, 'stopped');
  });

  it('stops when asked, with a checkpoint of the step it stopped at', async () => {
    const runId = await launch('stopped', { steps: 5000 });
    startWorker('one');
    await reachesStep(runId, 3);
    const response = await deployment.stopRun(runId);
    expect(response.status).toBeLessThan(300);
    const { run, view } = await reachesStatus(runId, 'stopped');
    expect(run.reason).toBe('stopped on request');
    expect(view.checkpoints.find(({ step }) => step === view.step)?.complete).toBe(true);
  });

  it('says why a run failed, for a folder that is missing or a weight that is no number, and claims the next', async () => {
    const diverged = join(deployment.modelDir, 'diverged');
    await writeTinyBase(join(REPOSITORY_DIR, diverged));
    const weights = join(REPOSITORY_DIR, diverged, 'model.safetensors');
    const bytes = readFileSync(weights);
    // The last of the final norm's 32 gains.
    bytes.writeFloatLE(NaN, bytes.length - 4);
    writeFileSync(weights, bytes);
    const launchOn = (model: string): Promise<string> =>
      launch(`on ${model}`, { engine: { ...tinyConfig(deployment.modelDir).engine, model } });
    const broken = [
      { runId: await launchOn('models/nothing-here'), reason: 'nothing-here/config.json: not found' },
      {
        runId: await launchOn(diverged),
        reason: `${weights}: tensor "model.norm.weight" holds NaN at [31], expected finite numbers`,
      },
    ];
    const sound = await launch('sound', { steps: 2 });
    startWorker('one');
    for (const { runId, reason } of broken) {
      const { run, view } = await reachesStatus(runId, 'failed');
      expect(run.reason).toMatch(/^engine: /);
      expect(run.reason).toContain(reason);
      expect(view.log.some(({ level, message }) => level === 'error' && message.includes(reason))).toBe(true);
    }
    await reachesStatus(sound, 'finished');
  });

  it.skipIf(!existsSync('/proc'))('fails a run whose engine child dies, and claims the next', async () => {
    const crashed = await launch('child killed', { steps: 5000 });
    const worker = startWorker('one');
    await reachesStep(crashed, 2);
    const children = readFileSync(`/proc/${worker.pid}/task/${worker.pid}/children`, 'utf8')
      .trim()
      .split(' ');
    for (const child of children)
      if (readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('pool'))
        process.kill(Number(child), 'SIGKILL');
    const { run } = await reachesStatus(crashed, 'failed');
    expect(run.reason).toMatch(/^recipe: .*SIGKILL/);
    const sound = await launch('after a crash', { steps: 2 });
    await reachesStatus(sound, 'finished');
    expect(worker.isRunning).toBe(true);
  });

  it('hands its run back when it is shut down, to go on at once elsewhere', async () => {
    const runId = await launch('shut down', { steps: 5000 });
    const leaving = startWorker('leaving');
    const { view } = await reachesStep(runId, 7);
    expect(await leaving.end('SIGTERM')).toBe(0);
    // At once: without a word from its worker it would stand at running until its lease is over.
    expect((await deployment.requireRun(runId)).run.status).toBe('queued');
    startWorker('successor');
    const resumed = await runReaches(runId, ({ run }) => run.attempt === 2 && run.status === 'running');
    expect(resumed.view.resumedFromStep).toBeGreaterThanOrEqual(view.step);
    await deployment.stopRun(runId);
    await reachesStatus(runId, 'stopped');
  });

  it('exits with the reason where the server does not take it', async () => {
    const { url } = readServerFiles(deployment.serverHome);
    const stranger = TestProgram.start(
      'workers/main.ts',
      ['--server', url, '--home', join(deployment.root, 'stranger')],
      { STEPSCOPE_WORKER_TOKEN: 'wrong' },
      process.env,
    );
    await eventually(
      () => !stranger.isRunning,
      () => `it exits: ${stranger.output}`,
    );
    expect(await stranger.end('SIGKILL')).toBe(1);
    expect(stranger.output).toContain('the worker token is not known to this server');
  });

  it('does not share its folder with another process', async () => {
    const first = startWorker('shared');
    await eventually(
      () => first.output.includes('connected'),
      () => first.output,
    );
    const second = startWorker('shared');
    expect(
      await eventually(
        () => !second.isRunning,
        () => second.output,
      ),
    ).toBe(true);
    expect(second.output).toContain(`worker process ${first.pid} uses this folder`);
  });
});
