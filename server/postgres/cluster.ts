import { spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { AppError } from '@/contract/errors';
import { findBinaries, type PostgresBinaries, type ProcessOwner } from './binaries';
import { isAlive } from './file-lock';

/** Where a cluster is and how it is reached. */
export interface ClusterSettings {
  /** Postgres' own folder; made where it is missing. */
  dataDirectory: string;
  password: string;
  owner: ProcessOwner | null;
  /** Where programs are copied that `owner` cannot reach. */
  cache: string;
  log: string;
  /** Port to prefer, so that it stays the same over restarts; another where it is taken. */
  preferredPort: number | null;
  /** Further `name=value` settings. */
  options?: readonly string[];
}

export interface RunningCluster {
  port: number;
  pid: number;
  /** It ran before we came. */
  adopted: boolean;
}

const SUPERUSER = 'postgres';
const POLL_MS = 50;
const START_MS = 60_000;
const FAST_SHUTDOWN_MS = 15_000;
const LOG_TAIL_CHARACTERS = 2_000;

// Next declares NODE_ENV as always set; Postgres needs none of our environment, PG* variables least of all.
const BARE_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } as unknown as NodeJS.ProcessEnv;

export function clusterUrl(
  { password }: Pick<ClusterSettings, 'password'>,
  port: number,
  database: string,
): string {
  return `postgresql://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/**
 * Makes the cluster where there is none, adopts the one that runs, or starts it, detached: it outlives us unless
 * stopped. After a crash Postgres recovers by itself. Resolves once it answers.
 */
export async function startCluster(settings: ClusterSettings): Promise<RunningCluster> {
  const running = await adoptCluster(settings);
  if (running) return running;
  const binaries = await findBinaries(settings.owner, settings.cache);
  if (!existsSync(path.join(settings.dataDirectory, 'PG_VERSION'))) initialise(binaries, settings);
  const port = await choosePort(settings.preferredPort);
  const pid = await launch(binaries, settings, port);
  return { port, pid, adopted: false };
}

/** Asks Postgres to end its sessions and stop, and waits until it has; harmless where it has stopped. */
export async function stopCluster(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!sendSignal(pid, signal)) return;
    for (let waited = 0; waited < FAST_SHUTDOWN_MS && isAlive(pid); waited += POLL_MS) await sleep(POLL_MS);
  }
  if (isAlive(pid)) throw new AppError('internal', `Postgres, process ${pid}, does not stop`);
}

/** False where the process is gone. */
function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

/** The cluster that runs on this folder, once it answers; null where none does. */
async function adoptCluster(settings: ClusterSettings): Promise<RunningCluster | null> {
  for (let waited = 0; waited < START_MS; waited += POLL_MS) {
    const postmaster = readPostmaster(settings.dataDirectory);
    if (!postmaster || !isAlive(postmaster.pid)) return null;
    const answer = await ask(settings, postmaster.port);
    if (answer === 'accepting') return { ...postmaster, adopted: true };
    // The file is a dead cluster's and its pid another program's: Postgres itself sees that and starts.
    if (answer === 'nobody') return null;
    await sleep(POLL_MS);
  }
  throw new AppError(
    'unavailable',
    `Postgres on ${settings.dataDirectory} runs but does not accept connections`,
  );
}

function readPostmaster(dataDirectory: string): { pid: number; port: number } | null {
  const file = path.join(dataDirectory, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, 'utf8').split('\n');
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  return pid > 0 && port > 0 ? { pid, port } : null;
}

const INVALID_PASSWORD = '28P01';

/** Whether the cluster accepts us, is still starting or ending, or nobody listens there. */
async function ask(settings: ClusterSettings, port: number): Promise<'accepting' | 'starting' | 'nobody'> {
  const client = new pg.Client({ connectionString: clusterUrl(settings, port, 'postgres') });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return 'accepting';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === INVALID_PASSWORD)
      throw new AppError(
        'conflict',
        `Postgres on port ${port} does not know the password of ${settings.dataDirectory}`,
      );
    return code === 'ECONNREFUSED' ? 'nobody' : 'starting';
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Made beside its place and moved there whole, so that an interrupted attempt leaves no half of a cluster. */
function initialise({ initdb }: PostgresBinaries, { dataDirectory, password, owner }: ClusterSettings): void {
  mkdirSync(path.dirname(dataDirectory), { recursive: true, mode: 0o755 });
  const unfinished = `${dataDirectory}.unfinished`;
  const passwordFile = `${dataDirectory}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  try {
    if (owner) for (const file of [unfinished, passwordFile]) chownSync(file, owner.uid, owner.gid);
    const args = ['-D', unfinished, '-U', SUPERUSER, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
    const made = spawnSync(initdb, [...args, '-E', 'UTF8', '--locale=C', '--no-sync'], {
      ...owner,
      encoding: 'utf8',
      cwd: '/',
      env: BARE_ENVIRONMENT,
    });
    if (made.status !== 0)
      throw new AppError(
        'unavailable',
        `initdb failed on ${dataDirectory}: ${made.stderr || made.error?.message || `exit ${made.status}`}`,
      );
    renameSync(unfinished, dataDirectory);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

async function launch(
  { postgres }: PostgresBinaries,
  settings: ClusterSettings,
  port: number,
): Promise<number> {
  const { dataDirectory, owner, log, options = [] } = settings;
  const output = openSync(log, 'a', 0o600);
  const child = spawn(
    postgres,
    [
      '-D',
      dataDirectory,
      '-p',
      String(port),
      '-h',
      '127.0.0.1',
      '-k',
      '',
      ...options.flatMap((option) => ['-c', option]),
    ],
    { ...owner, detached: true, stdio: ['ignore', output, output], cwd: '/', env: BARE_ENVIRONMENT },
  );
  closeSync(output);
  child.unref();
  const failed = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code, signal) => resolve(`it ended with ${signal ?? `code ${code}`}`));
  });
  let failure: string | null = null;
  void failed.then((reason) => {
    failure = reason;
  });
  for (let waited = 0; waited < START_MS; waited += POLL_MS) {
    if (failure !== null) break;
    if (child.pid !== undefined && (await ask(settings, port)) === 'accepting') return child.pid;
    await sleep(POLL_MS);
  }
  const tail = readFileSync(log, 'utf8').slice(-LOG_TAIL_CHARACTERS);
  throw new AppError(
    'unavailable',
    `Postgres did not start on ${dataDirectory}: ${failure ?? 'no answer'}\n${tail}`,
  );
}

/** The preferred port if it is free, else any. */
async function choosePort(preferred: number | null): Promise<number> {
  return (preferred !== null && (await listenOnce(preferred))) || (await listenOnce(0)) || 0;
}

/** The port that was free a moment ago; 0 where it was not. */
function listenOnce(port: number): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(0));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
