import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerFile } from './home';
import { aLaunch } from './testing/a-launch';
import { fetchJson } from './testing/start-server';

const ROOT = resolve(import.meta.dirname, '..');

interface ServerProcess {
  child: ChildProcessWithoutNullStreams;
  output(): string;
  ended: Promise<number | NodeJS.Signals>;
}

let home: string;
let processes: ServerProcess[] = [];
let postgresPids = new Set<number>();

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'stepscope-main-'));
  await chmod(home, 0o755);
});
afterEach(async () => {
  for (const { child, ended } of processes) {
    child.kill('SIGKILL');
    await ended;
  }
  for (const pid of postgresPids) if (isAlive(pid)) process.kill(pid, 'SIGQUIT');
  await expect.poll(() => [...postgresPids].filter(isAlive), { timeout: 30_000 }).toEqual([]);
  processes = [];
  postgresPids = new Set();
  await rm(home, { recursive: true, force: true });
});

/** Starts the server process without pages, with a Postgres of its own below `home`. */
function start(variables: Record<string, string> = {}, flags: string[] = []): ServerProcess {
  const script = join(ROOT, 'scripts', 'run-ts.mjs');
  const { DATABASE_URL: _unset, PORT: _port, ...inherited } = process.env;
  const child = spawn(process.execPath, [script, ...flags, 'server/main.ts', '--no-pages'], {
    cwd: ROOT,
    env: { ...inherited, STEPSCOPE_HOME: home, ...variables },
  });
  let text = '';
  child.stdout.on('data', (chunk) => (text += String(chunk)));
  child.stderr.on('data', (chunk) => (text += String(chunk)));
  const ended = new Promise<number | NodeJS.Signals>((done) =>
    child.on('exit', (code, signal) => done(signal ?? code ?? -1)),
  );
  const started = { child, output: () => text, ended };
  processes.push(started);
  return started;
}

async function readServerFile(): Promise<ServerFile | null> {
  const text = await readFile(join(home, 'server.json'), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as ServerFile);
}

/** Waits until the process has written where it serves. */
async function serving({ child, output }: ServerProcess): Promise<ServerFile> {
  await expect
    .poll(async () => (await readServerFile())?.pid, { timeout: 60_000, message: output() })
    .toBe(child.pid);
  postgresPids.add(await postgresPid());
  const file = await readServerFile();
  if (!file) throw new Error('server.json is gone');
  return file;
}

async function postgresPid(): Promise<number> {
  return Number((await readFile(join(home, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('the server process', () => {
  it('brings its own Postgres, says where it serves, and on SIGTERM leaves nothing running', async () => {
    const server = start();
    const { url, databasePort } = await serving(server);
    expect(databasePort).toBeGreaterThan(0);
    expect(server.output()).toContain(url);
    expect((await fetchJson(`${url}/api/v1/health`)).status).toBe(200);
    const postgres = await postgresPid();
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(isAlive(postgres)).toBe(false);
    expect(await readServerFile()).toBeNull();
  });

  it('stops in order when the program that started it dies', async () => {
    const server = start({}, ['--until-parent-exits']);
    await serving(server);
    const postgres = await postgresPid();
    server.child.stdin.end();
    expect(await server.ended).toBe(0);
    expect(isAlive(postgres)).toBe(false);
  });

  it('killed outright is followed by one that takes its Postgres over and has every run', async () => {
    const killed = start();
    const first = await serving(killed);
    const postgres = await postgresPid();
    const token = await readFile(join(home, 'worker-token'), 'utf8');
    const launched = await fetchJson(`${first.url}/api/v1/runs`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(aLaunch()),
    });
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(isAlive(postgres)).toBe(true);
    const next = start();
    const { url } = await serving(next);
    expect(next.output()).toContain(`process ${postgres}`);
    expect((await fetchJson(`${url}/api/v1/runs`)).body).toMatchObject([launched.body].map(toRow));
    expect(await readFile(join(home, 'worker-token'), 'utf8')).toBe(token);
    next.child.kill('SIGTERM');
    expect(await next.ended).toBe(0);
    expect(isAlive(postgres)).toBe(false);
  });

  it('refuses a second server on the same data, which goes on undisturbed', async () => {
    const first = start();
    const { url } = await serving(first);
    const second = start();
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(new RegExp(`another server uses this database: .*${first.child.pid}`));
    expect((await fetchJson(`${url}/api/v1/health`)).status).toBe(200);
    expect(await readServerFile()).toMatchObject({ pid: first.child.pid });
  });

  it('names the port that is taken', async () => {
    const taken = createServer();
    await new Promise<void>((done) => taken.listen(0, '127.0.0.1', () => done()));
    const { port } = taken.address() as AddressInfo;
    const server = start({ PORT: String(port) });
    expect(await server.ended).toBe(1);
    expect(server.output()).toContain(`port ${port} on 127.0.0.1 is taken`);
    taken.close();
  });

  it.each([
    [{ PORT: 'abc' }, 'PORT=abc'],
    [{ HOST: '0.0.0.0' }, 'sign-in'],
    [{ DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' }, 'ECONNREFUSED'],
  ])('with %o says what is wrong and ends', async (variables, message) => {
    const server = start(variables);
    expect(await server.ended).toBe(1);
    expect(server.output()).toContain(message);
  });
});

function toRow(launched: unknown): unknown {
  return { id: (launched as { runId: string }).runId, status: 'queued' };
}
