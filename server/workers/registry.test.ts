import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimSample, launchSample, sampleWorker } from '../testing/samples';
import { sampleReport } from '../testing/sample-report';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import {
  checkToken,
  createToken,
  disconnectAll,
  listWorkers,
  registerWorker,
  setConnected,
  storeReport,
} from './registry';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

describe('workers', () => {
  it('are listed with what they can do and the run they hold, the connected first', async () => {
    await registerWorker(database, sampleWorker('worker-b', { devices: ['cuda'] }));
    await setConnected(database, 'worker-b', false);
    const runId = await launchSample(database);
    await claimSample(database, 'worker-z');
    const rows = await listWorkers(database);
    expect(rows.map(({ id, connected, devices, runId: held }) => ({ id, connected, devices, held }))).toEqual(
      [
        { id: 'worker-z', connected: true, devices: ['cpu'], held: runId },
        { id: 'worker-b', connected: false, devices: ['cuda'], held: null },
      ],
    );
    expect(rows[0]?.lastBeatAt).toBeGreaterThan(0);
  });

  it('are shown with what they last said of their machine, and with none once they connect without', async () => {
    const said = async () => {
      const { report, reportedAt } =
        (await listWorkers(database)).find(({ id }) => id === 'worker-gpu') ?? {};
      return { report, told: typeof reportedAt === 'number' };
    };
    const worker = sampleWorker('worker-gpu');
    await registerWorker(database, { ...worker, report: sampleReport() });
    expect(await said()).toEqual({ report: sampleReport(), told: true });
    const hot = sampleReport({ gpuProblem: 'a NUL \0 in a text' });
    await storeReport(database, 'worker-gpu', hot);
    expect((await said()).report?.gpuProblem).toBe('a NUL \u2400 in a text');
    await registerWorker(database, worker);
    expect(await said()).toEqual({ report: null, told: false });
  });

  it('are all unconnected when their server starts', async () => {
    await disconnectAll(database);
    expect((await listWorkers(database)).some((worker) => worker.connected)).toBe(false);
  });
});

describe('a token', () => {
  it('opens the door and is kept as a hash alone', async () => {
    const token = await createToken(database, 'local');
    expect(await checkToken(database, token)).toBe(true);
    expect(await checkToken(database, `${token}x`)).toBe(false);
    expect(await checkToken(database, '')).toBe(false);
    const { rows } = await database.pool.query<{ all: string }>(
      `SELECT string_agg(token::text, ' ') AS all FROM "WorkerToken" token`,
    );
    expect(rows[0]?.all).not.toContain(token);
    expect(rows[0]?.all).toMatch(/[0-9a-f]{64}/);
  });

  it('is of digits and letters alone, so that no command line takes it for an option', async () => {
    expect(await createToken(database, 'local')).toMatch(/^[0-9a-f]{64}$/);
  });
});
