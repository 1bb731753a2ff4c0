import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorkerRow } from '@/contract/api';
import { openTestDatabase, type TestDatabase } from '@/server/testing/test-database';
import { membersOf } from './engine-command/process-group';
import { Deployment } from './testing/deployment';
import { eventually, freePort } from './testing/programs';
import { tinyConfig } from './testing/tiny-training';

let database: TestDatabase;
let deployment: Deployment;
beforeAll(async () => {
  database = await openTestDatabase();
  deployment = await Deployment.open({ databaseUrl: database.url, leaseMs: 2000, env: process.env });
});
afterAll(async () => {
  await deployment?.close();
  await database?.close();
});

async function workerRow(name: string): Promise<WorkerRow | undefined> {
  const response = await fetch(`${deployment.url}/api/v1/workers`);
  return ((await response.json()) as WorkerRow[]).find((worker) => worker.name === name);
}

/** The process group of the engine, from what the worker reports of it. */
async function engineGroup(name: string): Promise<number | null> {
  const command = (await workerRow(name))?.report?.engineCommand;
  return command?.state === 'ready' ? Number(/process group (\d+)/.exec(command.words)?.[1]) : null;
}

describe('a worker with an engine command', () => {
  it('starts its engine, trains on it, fails the run whose engine dies and goes on with the next', async () => {
    const { modelDir } = deployment;
    const port = await freePort();
    const argv = [process.execPath, '--import', 'tsx', 'workers/engines/serve/main.ts'];
    const options = [
      '--model',
      modelDir,
      '--port',
      String(port),
      '--checkpoints',
      `${deployment.root}/saved`,
    ];
    const engine = { ...tinyConfig(modelDir).engine, kind: 'tinker' as const };
    const elsewhere = await deployment.launch('on another model', {
      engine: { ...engine, model: 'Qwen/Qwen3-8B' },
      steps: 2,
    });
    const broken = await deployment.launch('whose engine dies', { engine, steps: 5000 });
    const worker = deployment.startWorker('gpu', {
      STEPSCOPE_TINKER_URL: `http://127.0.0.1:${port}`,
      STEPSCOPE_ENGINE_COMMAND: JSON.stringify([...argv, ...options]),
    });
    await deployment.reachesStep(broken, 2);
    const { run: waiting } = await deployment.runReaches(elsewhere, ({ run }) => run.reason !== null);
    expect(waiting).toMatchObject({
      status: 'queued',
      reason: `Waiting: no connected worker reaches model Qwen/Qwen3-8B (gpu: its server has ${modelDir})`,
    });

    const group = await eventually(
      () => engineGroup('gpu'),
      () => worker.output,
    );
    expect((await workerRow('gpu'))?.report?.tinker?.models).toEqual([modelDir]);
    process.kill(Math.min(...membersOf(group).filter((pid) => pid !== group)), 'SIGKILL');
    const { run } = await deployment.reachesStatus(broken, 'failed');
    expect(run.reason).toContain(
      'the engine command was ended by SIGKILL, and the models on it are gone with it',
    );

    await deployment.reachesStatus(await deployment.launch('after it', { engine, steps: 2 }), 'finished');
    const second = await eventually(
      () => engineGroup('gpu'),
      () => worker.output,
    );
    expect(second).not.toBe(group);
    expect(await worker.end('SIGTERM')).toBe(0);
    expect([...membersOf(group), ...membersOf(second)]).toEqual([]);
  });
});
