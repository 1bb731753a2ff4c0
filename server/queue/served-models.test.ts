import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { parseLaunch } from '@/contract/recipes/registry';
import { OPD_PRESETS } from '@/contract/recipes/opd-presets';
import { TURN_JUDGE_PRESETS } from '@/contract/recipes/turn-judge-presets';
import { registerWorker, storeReport } from '@/server/workers/registry';
import { launchRun } from '../runs/commands';
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

describe('a run that needs more than its engine', () => {
  const launch = async (recipe: string, config: unknown): Promise<string> =>
    (await launchRun(database, parseLaunch({ name: 'a run', recipe, preset: 'verify', config }))).runId;
  const reasonOf = async (runId: string) => (await requireRun(database, runId)).run.reason;

  it('is given only to a worker that holds the key of its teacher’s endpoint, whatever engines the worker has', async () => {
    const endpoint = { address: 'https://host/v1', model: 'm', keyVariable: 'STEPSCOPE_ENDPOINT_KEY_T' };
    const { verify } = OPD_PRESETS;
    const config = { ...verify, teacher: { ...verify.teacher, kind: 'endpoint', endpoint } };
    const runId = await launch('opd', config);
    const worker = sampleWorker('worker-a', { recipes: ['opd'] });
    const holding = (endpointKeys: string[]) => ({ ...worker, report: sampleReport({ endpointKeys }) });
    await registerWorker(database, holding([]));
    expect(await claimRun(database, holding([]), TEST_LEASE)).toBeNull();
    const held = await claimRun(database, holding(['STEPSCOPE_ENDPOINT_KEY_T']), TEST_LEASE);
    expect(held?.claimed.runId).toBe(runId);
  });

  it('is given only to a worker that says it holds the key of its endpoint, or says nothing of keys', async () => {
    const { judge } = TURN_JUDGE_PRESETS.verify;
    const endpoint = { address: 'https://host/v1', model: 'm', keyVariable: 'STEPSCOPE_ENDPOINT_KEY_GLM' };
    const config = { ...TURN_JUDGE_PRESETS.verify, judge: { ...judge, source: 'endpoint', endpoint } };
    const runId = await launch('turn-judge', config);
    const worker = sampleWorker('worker-a', { recipes: ['turn-judge'] });
    const holding = (endpointKeys?: string[]) => ({ ...worker, report: sampleReport({ endpointKeys }) });
    await registerWorker(database, holding(['STEPSCOPE_ENDPOINT_KEY']));
    expect(await claimRun(database, holding(['STEPSCOPE_ENDPOINT_KEY']), TEST_LEASE)).toBeNull();
    await sweepLeases(database, TEST_LEASE);
    expect(await reasonOf(runId)).toBe(
      'Waiting: no connected worker has a key in STEPSCOPE_ENDPOINT_KEY_GLM of its environment',
    );
    await registerWorker(database, holding(['STEPSCOPE_ENDPOINT_KEY_GLM']));
    await sweepLeases(database, TEST_LEASE);
    expect(await reasonOf(runId)).toBeNull();
    const claim = await claimRun(database, holding(['STEPSCOPE_ENDPOINT_KEY_GLM']), TEST_LEASE);
    expect(claim?.claimed.runId).toBe(runId);
    const next = await launch('turn-judge', config);
    expect((await claimRun(database, holding(), TEST_LEASE))?.claimed.runId).toBe(next);
  });

  it('is given only to a worker that has its teacher’s engine and reaches its model', async () => {
    const teacher = { ...OPD_PRESETS.verify.teacher, kind: 'tinker', model: 'Qwen/Qwen3-8B' };
    const runId = await launch('opd', { ...OPD_PRESETS.verify, teacher });
    const embedded = sampleWorker('worker-a', { recipes: ['opd'] });
    await registerWorker(database, embedded);
    expect(await claimRun(database, embedded, TEST_LEASE)).toBeNull();
    await sweepLeases(database, TEST_LEASE);
    expect(await reasonOf(runId)).toBe('Waiting: no connected worker has engine tinker for the teacher');
    const serving = (models: string[]) => ({
      ...sampleWorker('worker-a', { recipes: ['opd'], engines: ['onnx', 'tinker'] }),
      report: sampleReport({ tinker: { address: 'http://gpu:8000', models, problem: null } }),
    });
    await registerWorker(database, serving([]));
    expect(await claimRun(database, serving([]), TEST_LEASE)).toBeNull();
    await sweepLeases(database, TEST_LEASE);
    expect(await reasonOf(runId)).toContain('no connected worker reaches model Qwen/Qwen3-8B');
    expect((await claimRun(database, serving(['Qwen/Qwen3-8B']), TEST_LEASE))?.claimed.runId).toBe(runId);
  });
});
