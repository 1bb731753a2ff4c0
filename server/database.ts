import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from './generated/prisma/client';

export type { Prisma, Trajectory as TrajectoryRow, Turn as TurnRow } from './generated/prisma/client';

/** The one pool and the one client on it. Statements that carry weight go by the pool, plain reads by the client. */
export interface Database {
  pool: pg.Pool;
  prisma: PrismaClient;
}

const MAX_CONNECTIONS = 16;

/** Connects to a migrated database; throws what Postgres says where it cannot. */
export async function openDatabase(url: string): Promise<Database> {
  const pool = new pg.Pool({ connectionString: url, max: MAX_CONNECTIONS });
  // An idle connection that Postgres closes is replaced at the next query; unheard, the event would end the process.
  pool.on('error', () => undefined);
  try {
    await pool.query('SELECT 1');
  } catch (error) {
    await pool.end();
    throw error;
  }
  return { pool, prisma: new PrismaClient({ adapter: new PrismaPg(pool) }) };
}

export async function closeDatabase(database: Database): Promise<void> {
  await database.prisma.$disconnect();
  if (!database.pool.ended) await database.pool.end();
}

/** Runs `work` in one transaction on one connection; an error rolls everything back and is thrown on. */
export async function inTransaction<T>(
  database: Database,
  work: (client: pg.PoolClient) => Promise<T>,
  begin = 'BEGIN',
): Promise<T> {
  const client = await database.pool.connect();
  let broken = false;
  // The query under way throws as well; unheard, the event would end the process.
  const markBroken = () => {
    broken = true;
  };
  client.on('error', markBroken);
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(markBroken);
    throw error;
  } finally {
    client.off('error', markBroken);
    client.release(broken);
  }
}
