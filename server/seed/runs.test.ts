import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RUN_STATUSES } from '@/contract/run';
import { DEFAULT_LEASE } from '../queue/lease';
import { sweepLeases } from '../queue/sweep';
import { listRuns } from '../runs/list';
import { requireRun } from '../runs/queries';
import { readSeries } from '../runs/series';
import { listWorkers } from '@/server/workers/registry';
import { launchSample } from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { probeIndex } from '../trajectories/queries';
import { seedRuns, type SeededRun } from './runs';
import { SEED_WORKER } from './storyteller';

describe('seed data', () => {
  let database: TestDatabase;
  let seeded: SeededRun[];
  beforeAll(async () => {
    database = await openTestDatabase();
    seeded = await seedRuns(database, 1_700_000_000_000);
  });
  afterAll(() => database.close());

  const idOf = (name: string) => seeded.find((run) => run.shows.startsWith(name))?.runId ?? '';

  it('has a run of each status, named as what it is, which a sweep leaves alone', async () => {
    const statuses = async () => new Set((await listRuns(database)).map((run) => run.status));
    expect(await statuses()).toEqual(new Set(RUN_STATUSES));
    await sweepLeases(database, DEFAULT_LEASE);
    expect(await statuses()).toEqual(new Set(RUN_STATUSES));
    expect((await listRuns(database)).every((run) => run.name.endsWith('(seed data)'))).toBe(true);
  });

  it('has a worker that no screen counts as connected, since no process is behind it', async () => {
    expect(await listWorkers(database)).toMatchObject([{ id: SEED_WORKER.workerId, connected: false }]);
  });

  it('has a household with a strategy and memories, played at two steps', async () => {
    const index = await probeIndex(database, idOf('household'));
    expect(index).toMatchObject({ steps: [0, 10], tasks: [{ taskType: 'cool_and_place' }] });
  });

  it('has a long run with curves, evaluations and a probe', async () => {
    const runId = idOf('finished');
    const { run, view } = await requireRun(database, runId);
    expect(run).toMatchObject({
      step: 120,
      steps: 120,
      status: 'finished',
      lastEvaluation: { step: 120, n: 210 },
    });
    expect(view.checkpoints).toHaveLength(12);
    const index = await probeIndex(database, runId);
    expect(index.steps).toHaveLength(13);
    expect(index.tasks).toHaveLength(4);
  });

  it('has a resumed run with overwritten points and points that are not numbers', async () => {
    const names = { name: ['rollout/success_rate'], buckets: 1000 };
    const [rate] = await readSeries(database, idOf('resumed'), names);
    expect(rate?.overwritten.map((point) => point.step)).toEqual([21, 22, 23, 24, 25, 26, 27, 28]);
    const [whole] = await readSeries(database, idOf('resumed'), { name: ['actor/loss'], buckets: 1 });
    expect(whole?.buckets).toMatchObject([{ count: 0, nonFinite: 2, min: null, last: null }]);
  });

  it('can be written again, but not over a run that somebody queued', async () => {
    expect(await seedRuns(database, 1_700_000_000_000)).toHaveLength(seeded.length);
    const queued = (await listRuns(database)).filter((run) => run.status === 'queued');
    expect(queued).toHaveLength(1);
    const runId = await launchSample(database);
    await expect(seedRuns(database, 1_700_000_000_000)).rejects.toThrow(`run ${runId} is queued`);
  });
});
