import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BlobStore } from '../blobs/store';
import { requireRun } from '../runs/queries';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { probeIndex } from '../trajectories/queries';
import { seedAll } from './seed-all';

const PUBLISHED = path.resolve(process.env.STEPSCOPE_DATA ?? '../shared/data', '../published');

describe('db:seed', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  it('trains two small runs with checkpoints that a worker reaches, and makes nothing twice', async () => {
    const home = await mkdtemp(path.join(tmpdir(), 'stepscope-seed-'));
    const blobs = new BlobStore(path.join(home, 'blobs'), 300_000_000);
    const target = { database, blobs, now: Date.now() };
    const said: string[] = [];
    const links = await seedAll(target, home, PUBLISHED, (line) => said.push(line));
    const again = await seedAll(target, home, PUBLISHED, (line) => said.push(line));
    expect(again).toEqual(links);
    expect(said.filter((line) => line.startsWith('training'))).toHaveLength(2);
    const probed = links.find(({ address }) => address.includes('/probe?'));
    const runId = /^\/runs\/([^/]+)\//.exec(probed?.address ?? '')?.[1] ?? '';
    const { run, view } = await requireRun(database, runId);
    expect(run).toMatchObject({ kind: 'training', status: 'finished', step: 4, steps: 4, recipe: 'grpo' });
    expect(view.checkpoints.at(-1)).toEqual({ step: 4, complete: true });
    expect((await probeIndex(database, runId)).steps).toContain(4);
    const { rows } = await database.pool.query<{ locations: unknown }>(
      `SELECT "locations" FROM "Checkpoint" WHERE "runId" = $1`,
      [runId],
    );
    expect(rows.every(({ locations }) => JSON.stringify(locations) === '[{"kind":"blob"}]')).toBe(true);
  });
});
