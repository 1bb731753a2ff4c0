import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { AppError } from '@/contract/errors';

/** Key of the advisory lock that makes a server the only one on its database. */
const SERVER_LOCK = 5_783_001;

const TRIES = 20;
const PAUSE_MS = 100;

export interface ServerLock {
  release(): Promise<void>;
}

/**
 * Makes this process the one server of a database, on a connection kept for it alone. Throws `conflict` naming the
 * process that is. Waits two seconds first: Postgres may have yet to notice that a killed server is gone.
 * `onLost` hears of the connection breaking: from then on another server may come.
 */
export async function takeServerLock(url: string, onLost: (error: Error) => void): Promise<ServerLock> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `stepscope server ${process.pid}`,
  });
  let released = false;
  client.on('error', (error) => {
    if (!released) onLost(error);
  });
  await client.connect();
  for (let tried = 0; tried < TRIES; tried++) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      SERVER_LOCK,
    ]);
    if (rows[0]?.taken)
      return {
        release: async () => {
          released = true;
          await client.end();
        },
      };
    await sleep(PAUSE_MS);
  }
  const holder = await nameHolder(client);
  released = true;
  await client.end();
  throw new AppError('conflict', `another server uses this database: ${holder}. Stop it first`);
}

/** Who holds the lock: the name its connection gave, which holds its process id. */
async function nameHolder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string; backend: number; address: string | null }>(
    `SELECT activity.application_name AS name, activity.pid AS backend, host(activity.client_addr) AS address
     FROM pg_locks held JOIN pg_stat_activity activity ON activity.pid = held.pid
     WHERE held.locktype = 'advisory' AND held.granted AND held.classid = 0 AND held.objid = $1
       AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [SERVER_LOCK],
  );
  const row = rows[0];
  if (!row) return 'an unknown process';
  return `${row.name || 'a process'} at ${row.address ?? 'this machine'} (its connection is Postgres process ${row.backend})`;
}
