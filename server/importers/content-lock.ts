import type pg from 'pg';
import type { Database } from '../database';

/** Runs `work` while nobody else, of whatever process, imports the same content; waits for whoever does. */
export function withContentLock<T>(database: Database, hash: string, work: () => Promise<T>): Promise<T> {
  return onOneConnection(database, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [keyOf(hash)]);
    return unlockAfter(client, hash, work);
  });
}

/** As `withContentLock`, but null at once where somebody imports the content. */
export function ifNobodyImports<T>(
  database: Database,
  hash: string,
  work: () => Promise<T>,
): Promise<T | null> {
  return onOneConnection(database, async (client) => {
    const { rows } = await client.query<{ isFree: boolean }>('SELECT pg_try_advisory_lock($1) AS "isFree"', [
      keyOf(hash),
    ]);
    return rows[0]?.isFree ? unlockAfter(client, hash, work) : null;
  });
}

/** A lock lives and dies with its connection, so that of a killed process is free. */
async function onOneConnection<T>(
  database: Database,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await database.pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

async function unlockAfter<T>(client: pg.PoolClient, hash: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [keyOf(hash)]).catch(() => undefined);
  }
}

function keyOf(hash: string): string {
  return BigInt.asIntN(64, BigInt(`0x${hash.slice(0, 16)}`)).toString();
}
