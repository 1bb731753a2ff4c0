import type { ImportRow } from '@/contract/imports';
import type { Database } from '../database';

/** Most imports of one answer. */
const MAX_IMPORTS = 500;

/** What was imported and refused, newest first. */
export async function listImports(database: Database): Promise<ImportRow[]> {
  const { rows } = await database.pool.query<
    Omit<ImportRow, 'bytes' | 'createdAt'> & { bytes: string; createdAt: Date }
  >(
    `SELECT imported."id", imported."path", imported."format", imported."bytes", imported."state", imported."runId",
       run."name" AS "runName", imported."counts", imported."skipped", imported."skippedCount", imported."refusal",
       imported."createdAt"
     FROM "Import" imported LEFT JOIN "Run" run ON run."id" = imported."runId"
     ORDER BY imported."id" DESC LIMIT ${MAX_IMPORTS}`,
  );
  return rows.map((row) => ({ ...row, bytes: Number(row.bytes), createdAt: row.createdAt.getTime() }));
}
