import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { AppError } from '@/contract/errors';

/** Prisma's own advisory lock, so that its engine and this runner never migrate at the same time. */
const PRISMA_MIGRATION_LOCK = 72707369;

const CREATE_HISTORY = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`;

/** A folder below `migrations/` with its SQL; `checksum` is Prisma's: SHA-256 of the file's bytes, hex. */
export interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL('./migrations', import.meta.url));

/** The migrations of a folder in the order they apply: by name, which begins with a time. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(path.join(directory, name, 'migration.sql'));
      return { name, sql: sql.toString('utf8'), checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/**
 * Applies what is missing, each migration in one transaction, and returns the names applied. Keeps the history
 * table as `prisma migrate deploy` does, so either can follow the other. Throws `conflict` where an applied
 * migration has changed or an earlier one did not finish; the failed migration leaves nothing behind.
 */
export async function migrate(url: string, directory = MIGRATIONS_DIRECTORY): Promise<string[]> {
  const migrations = await readMigrations(directory);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_MIGRATION_LOCK]);
    await client.query(CREATE_HISTORY);
    const applied = await appliedChecksums(client);
    const names: string[] = [];
    for (const migration of migrations) {
      const checksum = applied.get(migration.name);
      if (checksum === migration.checksum) continue;
      if (checksum !== undefined)
        throw new AppError('conflict', `migration ${migration.name} was changed after it was applied`);
      await apply(client, migration);
      names.push(migration.name);
    }
    return names;
  } finally {
    await client.end();
  }
}

async function appliedChecksums(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string; finished: boolean }>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM "_prisma_migrations" WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  const unfinished = rows.find((row) => !row.finished);
  if (unfinished)
    throw new AppError(
      'conflict',
      `migration ${unfinished.name} began and did not finish: mend the database, then delete its row of _prisma_migrations`,
    );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(migration.sql);
    await client.query(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), migration.checksum, migration.name],
    );
    await client.query('COMMIT');
  } catch (cause) {
    await client.query('ROLLBACK');
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('internal', `migration ${migration.name} failed: ${message}`, [], { cause });
  }
}
