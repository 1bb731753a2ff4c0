import type { PublishedEvent } from '@/contract/run-events';
import { isFinalStatus } from '@/contract/run';
import type { ImportRefusal } from '@/contract/imports';
import { inTransaction, type Database } from '../database';
import { lockRun, recordServerEvent } from '../runs/locked-run';
import { ifNobodyImports } from './content-lock';

const REASON =
  'The import’s process ended before everything was stored. Import the same again: what was stored of it is then taken away';

/** Ends imports whose process is gone, and their runs: as failed, or as stopped where somebody had asked for that. */
export async function endBrokenImports(
  database: Database,
): Promise<{ runId: string; published: PublishedEvent[] }[]> {
  const { rows } = await database.pool.query<{ id: number; contentHash: string }>(
    `SELECT "id", "contentHash" FROM "Import" WHERE "state" = 'storing' ORDER BY "id"`,
  );
  const ended: { runId: string; published: PublishedEvent[] }[] = [];
  for (const { id, contentHash } of rows) {
    const run = await ifNobodyImports(database, contentHash, () => endImport(database, id));
    if (run) ended.push(run);
  }
  return ended;
}

async function endImport(database: Database, id: number) {
  return inTransaction(database, async (client) => {
    const refusal: ImportRefusal = { code: 'internal', message: REASON };
    const { rows } = await client.query<{ runId: string | null }>(
      `UPDATE "Import" SET "state" = 'broken', "refusal" = $2 WHERE "id" = $1 AND "state" = 'storing' RETURNING "runId"`,
      [id, JSON.stringify(refusal)],
    );
    const runId = rows[0]?.runId ?? null;
    // It came to its end since the list was read.
    if (runId === null) return null;
    const run = await lockRun(client, runId);
    if (isFinalStatus(run.view.status)) return { runId, published: [] };
    const status = run.view.status === 'stopping' ? 'stopped' : 'failed';
    const event = { kind: 'status:changed', status, reason: REASON, resumedFromStep: null } as const;
    return { runId, published: await recordServerEvent(client, run, event) };
  });
}
