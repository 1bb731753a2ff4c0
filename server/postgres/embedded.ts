import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { isReachable, processOwner, type ProcessOwner } from './binaries';
import { clusterUrl, startCluster, stopCluster, type ClusterSettings } from './cluster';
import { withFileLock } from './file-lock';

/** The Postgres of a data folder, running. */
export interface EmbeddedPostgres {
  /** URL of the product's database. */
  url: string;
  port: number;
  pid: number;
  /** It ran before we came, left by a server that was killed. */
  adopted: boolean;
  /** Ends its sessions and stops it. */
  stop(): Promise<void>;
}

const DATABASE = 'stepscope';

/** Where root keeps what `nobody` must reach when the data folder is closed to it. */
const SHARED_DIRECTORY = '/var/lib/stepscope';

/**
 * Starts or adopts the Postgres of the data folder `home` and makes the product's database in it. `home` keeps its
 * password (mode 600), its port, its log and its data; the data is elsewhere only where we are root and `home`
 * cannot be entered by others.
 */
export async function startEmbeddedPostgres(home: string): Promise<EmbeddedPostgres> {
  mkdirSync(home, { recursive: true, mode: 0o755 });
  return withFileLock(path.join(home, 'postgres.lock'), async () => {
    const settings = homeSettings(home, processOwner());
    const cluster = await startCluster(settings);
    writeFileSync(portFile(home), String(cluster.port));
    await createDatabase(clusterUrl(settings, cluster.port, 'postgres'), DATABASE);
    return {
      ...cluster,
      url: clusterUrl(settings, cluster.port, DATABASE),
      stop: () => stopCluster(cluster.pid),
    };
  });
}

function homeSettings(home: string, owner: ProcessOwner | null): ClusterSettings {
  const directory = dataFolder(home, owner);
  const port = existsSync(portFile(home)) ? Number(readFileSync(portFile(home), 'utf8')) : 0;
  return {
    dataDirectory: path.join(directory, 'postgres'),
    password: readPassword(home),
    owner,
    cache: directory,
    log: path.join(home, 'postgres.log'),
    preferredPort: port || null,
  };
}

function portFile(home: string): string {
  return path.join(home, 'postgres-port');
}

/** `home` itself where `owner` can reach it; else a folder of its own that is reachable, kept from then on. */
function dataFolder(home: string, owner: ProcessOwner | null): string {
  const elsewhere = path.join(SHARED_DIRECTORY, createHash('sha256').update(home).digest('hex').slice(0, 16));
  if (!owner || existsSync(path.join(home, 'postgres')) || isReachable(home)) return home;
  mkdirSync(elsewhere, { recursive: true, mode: 0o755 });
  return elsewhere;
}

function readPassword(home: string): string {
  const file = path.join(home, 'postgres-password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

const DUPLICATE_DATABASE = '42P04';

async function createDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === DUPLICATE_DATABASE)) throw error;
  } finally {
    await client.end();
  }
}
