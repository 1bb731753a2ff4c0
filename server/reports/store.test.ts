import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReportBlock } from '@/contract/report';
import { claimSample, launchSample, trajectory } from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { changeReport, createReport, deleteReport, listReports, requireReport } from './store';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.pool.query(`TRUNCATE "Run", "Report" CASCADE`));

const words = (text: string): ReportBlock => ({ id: 'words', kind: 'text', text });
const tableOf = (runs: string[]): ReportBlock => ({
  id: 'table',
  kind: 'evaluations',
  runs,
  split: null,
  decoding: null,
});

describe('a report', () => {
  it('is kept with its blocks, and counts its changes', async () => {
    const { id, revision } = await createReport(database, 'Findings');
    const changed = await changeReport(database, id, { revision, title: 'Found', blocks: [words('a')] });
    expect(changed).toMatchObject({ id, title: 'Found', revision: 2, blocks: [words('a')] });
    expect(await requireReport(database, id)).toEqual(changed);
    expect(await listReports(database)).toMatchObject([{ id, title: 'Found', blocks: 1 }]);
  });

  it('refuses a change that was made to an older revision, and keeps what it has', async () => {
    const { id } = await createReport(database, 'Findings');
    const change = (text: string) => ({ revision: 1, title: 'Findings', blocks: [words(text)] });
    await changeReport(database, id, change('first'));
    await expect(changeReport(database, id, change('second'))).rejects.toMatchObject({
      code: 'conflict',
      message: 'the report was changed elsewhere: it is at revision 2, the change was made to 1',
    });
    expect((await requireReport(database, id)).blocks).toEqual([words('first')]);
  });

  it('refuses to cite what there is not, by name, and keeps what it has', async () => {
    const { id, revision } = await createReport(database, 'Findings');
    const change = { revision, title: 'Findings', blocks: [tableOf(['r-9999'])] };
    await expect(changeReport(database, id, change)).rejects.toThrow(
      'the report cites what there is not: run r-9999',
    );
    expect(await requireReport(database, id)).toMatchObject({ revision: 1, blocks: [] });
  });

  it('keeps the runs, checkpoints and trajectories that it cites from being deleted, until it no longer does', async () => {
    const runId = await launchSample(database);
    const attempt = await claimSample(database, 'worker-a');
    await attempt.say(trajectory());
    await attempt.saveCheckpoint(1, true);
    const { rows } = await database.pool.query<{ id: string }>(`SELECT "id"::text FROM "Trajectory"`);
    const trajectoryId = rows[0]?.id ?? '';
    const remove = () => database.pool.query(`DELETE FROM "Run" WHERE "id" = $1`, [runId]);
    const { id } = await createReport(database, 'Findings');
    const blocks: ReportBlock[] = [{ id: 'pair', kind: 'pair', a: trajectoryId, b: '' }];
    await changeReport(database, id, { revision: 1, title: 'Findings', blocks });
    await expect(remove()).rejects.toThrow('violates');
    await changeReport(database, id, { revision: 2, title: 'Findings', blocks: [tableOf([runId])] });
    await expect(remove()).rejects.toThrow('violates');
    const compared: ReportBlock = { id: 'compare', kind: 'compare', query: `c=${runId}%401` };
    await changeReport(database, id, { revision: 3, title: 'Findings', blocks: [compared] });
    await expect(database.pool.query(`DELETE FROM "Checkpoint" WHERE "runId" = $1`, [runId])).rejects.toThrow(
      'violates',
    );
    await deleteReport(database, id);
    await remove();
    await expect(requireReport(database, id)).rejects.toMatchObject({ code: 'not_found' });
  });
});
