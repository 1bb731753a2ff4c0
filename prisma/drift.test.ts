import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmptyDatabase, type EmptyDatabase } from '@/server/testing/test-database';
import { migrate } from './migrate';
import { compareShapes, describeDatabase, describeSchema } from './shape';

const SCHEMA = new URL('./schema.prisma', import.meta.url);

describe('all migrations on an empty database', () => {
  let database: EmptyDatabase;
  let client: pg.Client;
  let schema: string;
  beforeAll(async () => {
    schema = await readFile(SCHEMA, 'utf8');
    database = await openEmptyDatabase();
    await migrate(database.url);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.close();
  });

  it('make what the schema describes', async () => {
    const expected = describeSchema(schema);
    expect(expected).toContain('RunEvent unique (runId, attempt, seq)');
    expect(expected).toContain('Run.reason text null');
    expect(compareShapes(expected, await describeDatabase(client))).toEqual({ missing: [], unexpected: [] });
  });

  it.each([
    ['ALTER TABLE "Run" ADD COLUMN "note" TEXT', [], ['Run.note text null']],
    [
      'ALTER TABLE "Run" ALTER COLUMN "reason" SET NOT NULL',
      ['Run.reason text null'],
      ['Run.reason text not null'],
    ],
    [
      'ALTER TABLE "Point" ALTER COLUMN "step" TYPE BIGINT',
      ['Point.step integer not null'],
      ['Point.step bigint not null'],
    ],
    ['DROP INDEX "Point_seriesId_step_idx"', ['Point index (seriesId, step)'], []],
    [
      'ALTER TABLE "Run" ALTER COLUMN "status" DROP DEFAULT',
      ['Run.status text not null default queued'],
      ['Run.status text not null'],
    ],
    [
      'ALTER TABLE "Turn" DROP CONSTRAINT "Turn_trajectoryId_fkey"',
      ['Turn (trajectoryId) references Trajectory (id) on delete CASCADE'],
      [],
    ],
  ])('differ from the schema after %s', async (change, missing, unexpected) => {
    await client.query('BEGIN');
    await client.query(change);
    const differences = compareShapes(describeSchema(schema), await describeDatabase(client));
    await client.query('ROLLBACK');
    expect(differences).toEqual({ missing, unexpected });
  });
});
