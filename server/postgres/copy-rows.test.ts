import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../database';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { BinaryRows, copyRows } from './copy-rows';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  await database.pool.query(
    'CREATE TABLE copied (whole int, large bigint, real float8, words text, value jsonb)',
  );
});
afterAll(() => database.close());

const LONG = 'å'.repeat(100_000);

describe('rows that are copied', () => {
  it('come back as they went, whatever their length', async () => {
    const rows = new BinaryRows();
    const values = [
      [-2_147_483_648, 0, NaN, '', null],
      [null, Number.MAX_SAFE_INTEGER, -Infinity, LONG, { text: LONG }],
      [2_147_483_647, -1, 5e-324, '成功\n\t\\.', [1, 'two']],
    ] as const;
    for (const [whole, large, real, words, value] of values) {
      rows.row(5);
      rows.integer(whole);
      rows.bigint(large);
      rows.double(real);
      rows.text(words);
      rows.jsonb(value);
    }
    await inTransaction(database, (client) => copyRows(client, 'copied', rows));
    const { rows: stored } = await database.pool.query<unknown[]>({
      text: 'SELECT whole, large::float8, real, words, value FROM copied',
      rowMode: 'array',
    });
    expect(stored).toEqual(values);
  });

  it('that Postgres refuses are an error, and the connection goes on', async () => {
    const rows = new BinaryRows();
    rows.row(1);
    rows.integer(1);
    const client = await database.pool.connect();
    try {
      await expect(copyRows(client, 'copied', rows)).rejects.toThrow(pg.DatabaseError);
      expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    } finally {
      client.release();
    }
  });
});
