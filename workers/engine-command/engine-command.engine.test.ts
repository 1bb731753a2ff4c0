import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTinkerEngine } from '../engines/tinker/tinker-engine';
import { probeTinkerServer } from '../engines/tinker/probe';
import { tinkerServer } from '../env';
import { eventually, freePort } from '../testing/programs';
import { writeTinyModel } from '../testing/tiny-model';
import { EngineCommand } from './engine-command';
import { membersOf } from './process-group';

let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'stepscope-command-'));
  await writeTinyModel(join(dir, 'model'), 1);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

it('serves a model as the engine command of a worker, comes back when it was killed, and leaves nothing behind', async () => {
  const model = join(dir, 'model');
  const port = await freePort();
  const server = tinkerServer({ STEPSCOPE_TINKER_URL: `http://127.0.0.1:${port}` });
  if (!server) throw new Error('no server is named');
  const serve = ['workers/engines/serve/main.ts', '--model', model, '--port', String(port)];
  const lines: string[] = [];
  const command = new EngineCommand({
    settings: {
      argv: [process.execPath, '--import', 'tsx', ...serve, '--checkpoints', join(dir, 'saved')],
      readyMs: 60_000,
      env: process.env,
      secrets: [],
    },
    address: server.address,
    probe: async () => (await probeTinkerServer(server)).problem,
    say: (line) => lines.push(line),
    changed: () => undefined,
  });
  const isReady = () => command.report.state === 'ready';
  try {
    await eventually(isReady, () => lines.join('\n'));
    expect((await probeTinkerServer(server)).models).toEqual([model]);
    const group = Number(/process group (\d+)/.exec(command.report.words)?.[1]);

    const engine = await createTinkerEngine({ ...server, model, signal: command.lifetime });
    // The first that the guardian, which leads the group, has started.
    process.kill(Math.min(...membersOf(group).filter((pid) => pid !== group)), 'SIGKILL');
    await expect(engine.training.saveState(join(dir, 'lost'))).rejects.toThrow(
      'the engine command was ended by SIGKILL, and the models on it are gone with it',
    );
    await engine.close();

    await eventually(
      () => isReady() && !command.report.words.includes(`group ${group} `),
      () => lines.join('\n'),
    );
    expect(membersOf(group)).toEqual([]);
    expect((await probeTinkerServer(server)).models).toEqual([model]);
  } finally {
    await command.stop();
  }
  expect((await probeTinkerServer(server)).problem).not.toBeNull();
});
