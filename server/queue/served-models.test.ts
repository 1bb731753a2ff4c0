import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { registerWorker, storeReport } from '@/server/workers/registry';
import { requireRun } from '../runs/queries';
import { sampleReport } from '../testing/sample-report';
import { launchSample, sampleWorker, TEST_LEASE } from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { claimRun } from './claim';
import { sweepLeases } from './sweep';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.pool.query(`TRUNCATE "Run", "Worker", "Point" CASCADE`));

describe('a run on a server of the Tinker protocol', () => {
  it('is given only to a worker whose server has its model', async () => {
    const { engine } = GRPO_PRESETS.verify;
    const runId = await launchSample(database, {
      engine: { ...engine, kind: 'tinker', model: 'Qwen/Qwen3-8B' },
    });
    const worker = sampleWorker('worker-a', { engines: ['onnx', 'tinker'] });
    await registerWorker(database, worker);
    const claim = (models: string[]) => {
      const tinker = { address: 'http://gpu:8000', models, problem: null };
      return claimRun(database, { ...worker, report: sampleReport({ tinker }) }, TEST_LEASE);
    };
    expect(await claim([])).toBeNull();
    expect(await claim(['Qwen/Qwen3-0.6B'])).toBeNull();
    expect((await claim(['Qwen/Qwen3-0.6B', 'Qwen/Qwen3-8B']))?.claimed.runId).toBe(runId);
    const embedded = await launchSample(database);
    expect((await claim([]))?.claimed.runId).toBe(embedded);
  });

  it('waits where no worker reaches its model, and says what keeps each of them from it', async () => {
    const { engine } = GRPO_PRESETS.verify;
    const runId = await launchSample(database, {
      engine: { ...engine, kind: 'tinker', model: 'Qwen/Qwen3-8B' },
    });
    const report = (models: string[], problem: string | null) =>
      sampleReport({ tinker: { address: 'http://gpu:8000', models, problem } });
    const [away, other] = [
      sampleWorker('worker-a', { engines: ['tinker'] }),
      sampleWorker('worker-b', { engines: ['tinker'] }),
    ];
    await registerWorker(database, { ...away, report: report([], 'http://gpu:8000 refused the connection') });
    await registerWorker(database, { ...other, report: report(['Qwen/Qwen3-0.6B'], null) });
    await sweepLeases(database, TEST_LEASE);
    const reason = async () => (await requireRun(database, runId)).run.reason;
    expect(await reason()).toBe(
      'Waiting: no connected worker reaches model Qwen/Qwen3-8B ' +
        '(name of worker-a: http://gpu:8000 refused the connection; name of worker-b: its server has Qwen/Qwen3-0.6B)',
    );
    await storeReport(database, 'worker-a', report(['Qwen/Qwen3-8B'], null));
    await sweepLeases(database, TEST_LEASE);
    expect(await reason()).toBeNull();
  });
});
