import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { migrate, MIGRATIONS_DIRECTORY, readMigrations } from '@/prisma/migrate';
import { closeDatabase, openDatabase, type Database } from '../database';
import { isReachable, processOwner } from '../postgres/binaries';
import { clusterUrl, startCluster, stopCluster, type ClusterSettings } from '../postgres/cluster';
import { withFileLock } from '../postgres/file-lock';

export interface TestDatabase extends Database {
  url: string;
  /** Drops the database and, after the last of them on this machine, stops the cluster. */
  close(): Promise<void>;
}

/** A database that holds nothing, not even tables. */
export interface EmptyDatabase {
  url: string;
  close(): Promise<void>;
}

/** Nothing of it is worth a secret: it listens on loopback and its data is thrown away. */
const PASSWORD = 'test';

/** Lost with the machine, so nothing waits for the disk. */
const FAST_OPTIONS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'];

const USER_NAME = 'stepscope test';

/**
 * A fresh database with all migrations applied, on a cluster that all test processes of this user share: the first
 * starts it, the last stops it. Copied from a template that is made once for each state of the migrations.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const cluster = await joinCluster();
  const template = await makeTemplate(cluster);
  const { name, url } = await createDatabase(cluster, template);
  const database = await openDatabase(url);
  return {
    ...database,
    url,
    close: async () => {
      await closeDatabase(database);
      await leaveCluster(cluster, name);
    },
  };
}

/** For tests of the migrations themselves. */
export async function openEmptyDatabase(): Promise<EmptyDatabase> {
  const cluster = await joinCluster();
  const { name, url } = await createDatabase(cluster, 'template0');
  return { url, close: () => leaveCluster(cluster, name) };
}

interface JoinedCluster {
  settings: ClusterSettings;
  port: number;
  pid: number;
  /** Open as long as this user needs the cluster: it counts the users. */
  session: pg.Client;
}

/** Where this user's cluster is: the temporary folder, unless Postgres' own user could not reach it. */
function sharedDirectory(): string {
  const owner = processOwner();
  const temporary = !owner || isReachable(tmpdir()) ? tmpdir() : '/var/tmp';
  const directory = path.join(temporary, `stepscope-test-${process.getuid?.() ?? 'user'}`);
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  return directory;
}

async function joinCluster(): Promise<JoinedCluster> {
  const directory = sharedDirectory();
  const settings: ClusterSettings = {
    dataDirectory: path.join(directory, 'postgres'),
    password: PASSWORD,
    owner: processOwner(),
    cache: directory,
    log: path.join(directory, 'postgres.log'),
    preferredPort: null,
    options: FAST_OPTIONS,
  };
  return withFileLock(path.join(directory, 'lock'), async () => {
    const { port, pid, adopted } = await startCluster(settings);
    const session = new pg.Client({
      connectionString: clusterUrl(settings, port, 'postgres'),
      application_name: USER_NAME,
    });
    await session.connect();
    if (!adopted) await dropLeftovers(session);
    return { settings, port, pid, session };
  });
}

/** Databases of test processes that were killed: nobody uses them, since the cluster has just started. */
async function dropLeftovers(session: pg.Client): Promise<void> {
  const { rows } = await session.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database WHERE datname LIKE 'test\\_%'`,
  );
  for (const { name } of rows) await session.query(`DROP DATABASE ${session.escapeIdentifier(name)}`);
}

async function leaveCluster({ settings, pid, session }: JoinedCluster, name: string): Promise<void> {
  await session.query(`DROP DATABASE ${session.escapeIdentifier(name)} WITH (FORCE)`);
  await withFileLock(path.join(path.dirname(settings.dataDirectory), 'lock'), async () => {
    const { rows } = await session.query<{ users: number }>(
      `SELECT count(*)::int AS users FROM pg_stat_activity
       WHERE application_name = $1 AND pid <> pg_backend_pid()`,
      [USER_NAME],
    );
    await session.end();
    if (rows[0]?.users === 0) await stopCluster(pid);
  });
}

/** Makes, once for each state of the migrations, the database that others are copied from. */
async function makeTemplate({ settings, port, session }: JoinedCluster): Promise<string> {
  const migrations = await readMigrations(MIGRATIONS_DIRECTORY);
  const state = createHash('sha256').update(migrations.map((migration) => migration.checksum).join());
  const name = `template_${state.digest('hex').slice(0, 16)}`;
  return withFileLock(path.join(path.dirname(settings.dataDirectory), 'template.lock'), async () => {
    const { rowCount } = await session.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 1) return name;
    const unfinished = `test_${randomBytes(8).toString('hex')}`;
    await session.query(`CREATE DATABASE ${unfinished} TEMPLATE template0`);
    await migrate(clusterUrl(settings, port, unfinished));
    await session.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`);
    return name;
  });
}

async function createDatabase(
  { settings, port, session }: JoinedCluster,
  template: string,
): Promise<{ name: string; url: string }> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await session.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  return { name, url: clusterUrl(settings, port, name) };
}
