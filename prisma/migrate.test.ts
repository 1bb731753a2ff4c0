import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEmptyDatabase, type EmptyDatabase } from '@/server/testing/test-database';
import { migrate } from './migrate';

describe('migrate', () => {
  let database: EmptyDatabase;
  let directory: string;
  beforeEach(async () => {
    database = await openEmptyDatabase();
    directory = await mkdtemp(path.join(tmpdir(), 'stepscope-migrations-'));
    await write('1_first', 'CREATE TABLE first (id INT)');
    await write('2_second', 'CREATE TABLE second (id INT)');
  });
  afterEach(async () => {
    await rm(directory, { recursive: true });
    await database.close();
  });

  async function write(name: string, sql: string): Promise<void> {
    await mkdir(path.join(directory, name), { recursive: true });
    await writeFile(path.join(directory, name, 'migration.sql'), sql);
  }

  async function query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<Row>(sql);
    await client.end();
    return rows;
  }

  it('applies what is missing in order, once, and keeps Prisma’s history', async () => {
    expect(await migrate(database.url, directory)).toEqual(['1_first', '2_second']);
    expect(await migrate(database.url, directory)).toEqual([]);
    await write('3_third', 'CREATE TABLE third (id INT)');
    expect(await migrate(database.url, directory)).toEqual(['3_third']);
    const rows = await query(
      `SELECT migration_name, checksum, applied_steps_count, finished_at IS NOT NULL AS finished
       FROM _prisma_migrations ORDER BY started_at LIMIT 1`,
    );
    expect(rows).toEqual([
      {
        migration_name: '1_first',
        checksum: createHash('sha256').update('CREATE TABLE first (id INT)').digest('hex'),
        applied_steps_count: 1,
        finished: true,
      },
    ]);
  });

  it('refuses a migration that changed after it was applied', async () => {
    await migrate(database.url, directory);
    await write('1_first', 'CREATE TABLE first (id BIGINT)');
    await expect(migrate(database.url, directory)).rejects.toThrow(
      '1_first was changed after it was applied',
    );
  });

  it('leaves nothing of a migration that fails, and can go on once it is mended', async () => {
    await write('2_second', 'CREATE TABLE second (id INT); SELECT no_such_function()');
    await expect(migrate(database.url, directory)).rejects.toThrow('2_second failed');
    expect(await query(`SELECT to_regclass('second')::text AS name`)).toEqual([{ name: null }]);
    await write('2_second', 'CREATE TABLE second (id INT)');
    expect(await migrate(database.url, directory)).toEqual(['2_second']);
  });

  it('refuses a database on which a migration began and did not finish', async () => {
    await migrate(database.url, directory);
    await query(`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '2_second'`);
    await expect(migrate(database.url, directory)).rejects.toThrow('2_second began and did not finish');
  });

  it('applies each migration once where several servers start at the same time', async () => {
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(database.url, directory)));
    expect(applied.flat().sort()).toEqual(['1_first', '2_second']);
  });
});
