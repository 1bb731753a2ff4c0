import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from './database';
import { openTestDatabase, type TestDatabase } from './testing/test-database';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

// An event that nobody hears would end the test's process as it would the server's.
it('a connection that Postgres ends in a transaction fails that transaction and no more', async () => {
  const ended = inTransaction(database, async (client) => {
    await client.query('SELECT pg_terminate_backend(pg_backend_pid())');
  });
  await expect(ended).rejects.toThrow(/terminat/i);
  const count = await inTransaction(database, (client) => client.query('SELECT 1'));
  expect(count.rowCount).toBe(1);
});
