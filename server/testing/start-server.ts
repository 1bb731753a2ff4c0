import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureWorkerToken } from '../home';
import type { LeaseSettings } from '../queue/lease';
import type { Runtime } from '../runtime';
import { startServer } from '../start';
import type { RunningServer } from '../start';
import { openTestDatabase } from './test-database';
import type { TestDatabase } from './test-database';

export interface TestServer {
  url: string;
  port: number;
  /** The data folder; a fresh one that `close` deletes. */
  home: string;
  /** A token that workers may connect with. */
  workerToken: string;
  database: TestDatabase;
  runtime: Runtime;
  /** Stops the server and starts it again on the same port, folder and database. */
  restart(): Promise<void>;
  /** Stops it and leaves folder and database. */
  stop(): Promise<void>;
  /** Stops it and deletes folder and database. */
  close(): Promise<void>;
}

/** Seconds instead of half minutes, so that a test sees a lease expire. */
const SHORT_LEASE: LeaseSettings = { heartbeatMs: 200, leaseMs: 1_000, maxAttempts: 3 };

/** A real server without pages in this process: REST and sockets on a free port, on a database of its own. */
export async function startTestServer(options: { lease?: LeaseSettings } = {}): Promise<TestServer> {
  const database = await openTestDatabase();
  const home = await mkdtemp(join(tmpdir(), 'stepscope-server-'));
  await chmod(home, 0o755);
  const start = (port: number): Promise<RunningServer> =>
    startServer({
      database,
      analysisUrl: null,
      home,
      host: '127.0.0.1',
      port,
      portIsFixed: port !== 0,
      lease: options.lease ?? SHORT_LEASE,
      allowedHosts: [],
      preparePages: null,
      development: false,
    });
  let running = await start(0);
  const workerToken = await ensureWorkerToken(database, home);
  const { url, port } = running;
  return {
    url,
    port,
    home,
    workerToken,
    database,
    get runtime() {
      return running.runtime;
    },
    async restart() {
      await running.stop();
      running = await start(port);
    },
    stop: () => running.stop(),
    async close() {
      await running.stop();
      await database.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** An answer of the REST interface: its status and its JSON. */
export async function fetchJson(url: string, init?: RequestInit): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url, init);
  return { status: response.status, body: await response.json() };
}
