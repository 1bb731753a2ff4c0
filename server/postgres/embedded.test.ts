import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded';
import { isAlive } from './file-lock';
import { takeServerLock } from './server-lock';

let home: string;
let postgres: EmbeddedPostgres;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'stepscope-postgres-'));
  await chmod(home, 0o755);
});
beforeEach(async () => {
  postgres = await startEmbeddedPostgres(home);
});
afterAll(async () => {
  await postgres.stop();
  await rm(home, { recursive: true, force: true });
});

async function query<Row extends pg.QueryResultRow>(sql: string, url = postgres.url): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('the Postgres of a data folder', () => {
  it('listens on loopback alone, asks for its password and keeps it for its owner', async () => {
    expect((await stat(path.join(home, 'postgres-password'))).mode & 0o777).toBe(0o600);
    const [settings] = await query(
      `SELECT current_setting('listen_addresses') AS address, current_setting('server_encoding') AS encoding,
         current_setting('password_encryption') AS passwords, current_database() AS database`,
    );
    expect(settings).toEqual({
      address: '127.0.0.1',
      encoding: 'UTF8',
      passwords: 'scram-sha-256',
      database: 'stepscope',
    });
    const wrong = postgres.url.replace(/:[^:@/]+@/, ':wrong@');
    await expect(query('SELECT 1', wrong)).rejects.toThrow('password authentication failed');
  });

  it('is adopted while it runs', async () => {
    const again = await startEmbeddedPostgres(home);
    expect(again).toMatchObject({ adopted: true, pid: postgres.pid, port: postgres.port, url: postgres.url });
  });

  it('started from several sides at once is one', async () => {
    await postgres.stop();
    const started = await Promise.all(Array.from({ length: 3 }, () => startEmbeddedPostgres(home)));
    expect(new Set(started.map((each) => each.pid)).size).toBe(1);
    expect(started.filter((each) => !each.adopted)).toHaveLength(1);
    postgres = started[0] ?? postgres;
  });

  it('stops, and keeps its data and its port for the next start', async () => {
    await query('CREATE TABLE stopped AS SELECT 7 AS number');
    await postgres.stop();
    expect(isAlive(postgres.pid)).toBe(false);
    const { port } = postgres;
    postgres = await startEmbeddedPostgres(home);
    expect(postgres).toMatchObject({ port, adopted: false });
    expect(await query('SELECT number FROM stopped')).toEqual([{ number: 7 }]);
  });

  it('recovers what was committed after it was killed', async () => {
    await query('CREATE TABLE killed AS SELECT 7 AS number');
    process.kill(postgres.pid, 'SIGKILL');
    while (isAlive(postgres.pid)) await sleep(20);
    postgres = await startEmbeddedPostgres(home);
    expect(await query('SELECT number FROM killed')).toEqual([{ number: 7 }]);
  });

  it('takes another port where a stranger has its own', async () => {
    await postgres.stop();
    const { createServer } = await import('node:net');
    const stranger = createServer().listen(postgres.port, '127.0.0.1');
    await new Promise((resolve) => stranger.once('listening', resolve));
    const { port } = postgres;
    postgres = await startEmbeddedPostgres(home);
    expect(postgres.port).not.toBe(port);
    expect(await query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await new Promise((resolve) => stranger.close(resolve));
  });

  it.skipIf(process.getuid?.() !== 0)(
    'runs as nobody where we are root, also when its folder is closed to it',
    async () => {
      const status = await readFile(`/proc/${postgres.pid}/status`, 'utf8');
      expect(status).toMatch(/^Uid:\t65534\t/m);
      const closed = await mkdtemp(path.join(tmpdir(), 'stepscope-closed-'));
      await chmod(closed, 0o700);
      const elsewhere = await startEmbeddedPostgres(closed);
      try {
        const [row] = await query<{ directory: string }>(
          `SELECT current_setting('data_directory') AS directory`,
          elsewhere.url,
        );
        expect(row?.directory).toMatch(/^\/var\/lib\/stepscope\/[0-9a-f]{16}\/postgres$/);
        await elsewhere.stop();
        await rm(path.dirname(row?.directory ?? closed), { recursive: true });
      } finally {
        await rm(closed, { recursive: true });
      }
    },
  );
});

describe('the lock of a database', () => {
  it('is held by one server, whose process a second one is told', async () => {
    const lock = await takeServerLock(postgres.url, () => undefined);
    await expect(takeServerLock(postgres.url, () => undefined)).rejects.toThrow(
      `another server uses this database: stepscope server ${process.pid} at 127.0.0.1`,
    );
    await lock.release();
    const next = await takeServerLock(postgres.url, () => undefined);
    await next.release();
  });

  it('tells when its connection breaks, and is free then', async () => {
    let hear: (error: Error) => void = () => undefined;
    const lost = new Promise<Error>((resolve) => {
      hear = resolve;
    });
    await takeServerLock(postgres.url, hear);
    await query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'stepscope server %'`,
    );
    expect(await lost).toBeInstanceOf(Error);
    const next = await takeServerLock(postgres.url, () => undefined);
    await next.release();
  });
});
