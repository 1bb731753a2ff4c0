import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WorkerHome } from './worker-home';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'stepscope-home-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('keeps its id for as long as the folder exists', () => {
  const first = WorkerHome.open(dir);
  expect(first.workerId).toMatch(/^worker-[0-9a-f]{8}$/);
  first.close();
  const second = WorkerHome.open(dir);
  expect(second.workerId).toBe(first.workerId);
  second.close();
  expect(existsSync(join(dir, 'worker.lock'))).toBe(false);
});

it.skipIf(!existsSync('/proc'))(
  'is not shared with a process that runs, but taken from one that is gone',
  async () => {
    const other = spawn('sleep', ['60']);
    const startedAt = readFileSync(`/proc/${other.pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19];
    writeFileSync(join(dir, 'worker.lock'), JSON.stringify({ pid: other.pid, startedAt }));
    expect(() => WorkerHome.open(dir)).toThrow(`worker process ${other.pid} uses this folder`);
    const exited = new Promise((resolve) => other.on('exit', resolve));
    other.kill('SIGKILL');
    await exited;
    WorkerHome.open(dir).close();
  },
);

it.skipIf(!existsSync('/proc'))(
  'is taken from a process that has ended and whose parent has not asked how',
  async () => {
    const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60']);
    try {
      const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
      const fields = (): string[] =>
        readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      const startedAt = fields()[19];
      await expect.poll(() => fields()[0]).toBe('Z');
      writeFileSync(join(dir, 'worker.lock'), JSON.stringify({ pid, startedAt }));
      WorkerHome.open(dir).close();
    } finally {
      parent.kill('SIGKILL');
    }
  },
);

it.skipIf(!existsSync('/proc'))('is taken from a dead process whose pid another one has now', () => {
  writeFileSync(join(dir, 'worker.lock'), JSON.stringify({ pid: 1, startedAt: 'another time' }));
  WorkerHome.open(dir).close();
});

it('is taken where a crash cut the lock off', () => {
  writeFileSync(join(dir, 'worker.lock'), '{"pid":');
  WorkerHome.open(dir).close();
});

it('names an id that is none', () => {
  writeFileSync(join(dir, 'worker-id'), 'Not An Id');
  expect(() => WorkerHome.open(dir)).toThrow(
    'worker-id holds "Not An Id"; expected 3 to 64 of a-z, 0-9 and -',
  );
});
