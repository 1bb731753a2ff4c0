import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BlobStore } from '../blobs/store';
import { requireRun } from '../runs/queries';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { endBrokenImports } from './broken-imports';
import { withContentLock } from './content-lock';
import { importPath } from './import-paths';
import type { ImportTarget } from './import-source';
import { DEFAULT_OPTIONS } from './importer';
import { listImports } from './queries';
import { fileOf } from './testing/read-source';

let database: TestDatabase;
let target: ImportTarget;
beforeAll(async () => {
  database = await openTestDatabase();
  const folder = await mkdtemp(path.join(tmpdir(), 'stepscope-blobs-'));
  target = { database, blobs: new BlobStore(folder, 10_000_000), now: 1_700_000_000_000 };
});
afterAll(() => database.close());

async function importText(text: string) {
  const named = await fileOf('metrics.csv', text);
  for await (const { outcome } of importPath(target, named, { ...DEFAULT_OPTIONS, name: null, format: null }))
    return outcome;
  throw new Error('no outcome');
}

/** An import as a process that was killed in the middle leaves it, its run in the given status. */
async function brokenImport(text: string, status: 'running' | 'stopping') {
  const { runId } = await importText(text);
  const { rows } = await database.pool.query<{ contentHash: string }>(
    `UPDATE "Import" SET "state" = 'storing' WHERE "runId" = $1 RETURNING "contentHash"`,
    [runId],
  );
  await database.pool.query(
    `UPDATE "Run" SET "status" = $2, "view" = "view" || jsonb_build_object('status', $2::text) WHERE "id" = $1`,
    [runId, status],
  );
  return { runId: runId ?? '', hash: rows[0]?.contentHash ?? '' };
}

describe('an import whose process is gone', () => {
  it('is ended as failed with its reason, and the same content is imported again', async () => {
    const text = 'step,a/b\n4,2\n';
    const { runId } = await brokenImport(text, 'running');
    const [ended] = await endBrokenImports(database);
    expect(ended).toMatchObject({ runId, published: [{ event: { status: 'failed' } }] });
    const { run } = await requireRun(database, runId);
    expect(run.status).toBe('failed');
    expect(run.reason).toContain('process ended before everything was stored');
    expect((await listImports(database))[0]).toMatchObject({
      state: 'broken',
      refusal: { code: 'internal' },
    });
    expect(await endBrokenImports(database)).toEqual([]);

    const again = await importText(text);
    expect(again.state).toBe('imported');
    await expect(requireRun(database, runId)).rejects.toThrow('no run has the id');
    expect((await listImports(database)).map(({ state }) => state)).toEqual(['imported']);
  });

  it('has stopped where somebody asked for that', async () => {
    const { runId } = await brokenImport('step,a/b\n5,2\n', 'stopping');
    await endBrokenImports(database);
    expect((await requireRun(database, runId)).run.status).toBe('stopped');
  });
});

describe('an import that somebody is at', () => {
  it('is left alone', async () => {
    const { runId, hash } = await brokenImport('step,a/b\n6,2\n', 'running');
    expect(await withContentLock(database, hash, () => endBrokenImports(database))).toEqual([]);
    expect((await requireRun(database, runId)).run.status).toBe('running');
  });
});
