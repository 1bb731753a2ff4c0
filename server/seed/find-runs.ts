import type { Database } from '../database';

/** Runs whose name ends so, oldest first. */
export async function findRunsNamed(
  database: Database,
  ending: string,
): Promise<{ id: string; name: string; status: string }[]> {
  const { rows } = await database.pool.query<{ id: string; name: string; status: string }>(
    `SELECT "id", "name", "status" FROM "Run" WHERE right("name", length($1)) = $1 ORDER BY "number"`,
    [ending],
  );
  return rows;
}
