import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listEvaluations } from '../evaluations/queries';
import { claimSample, evaluation, launchSample, points, status, TEST_LEASE } from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { sweepLeases } from '../queue/sweep';
import { listRuns } from './list';
import { eventsAfter, requireRun } from './queries';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

describe('runs', () => {
  it('are numbered from r-0001, keep four digits and grow beyond', async () => {
    expect(await launchSample(database)).toBe('r-0001');
    await database.pool.query(`SELECT setval(pg_get_serial_sequence('"Run"', 'number'), 9999)`);
    expect(await launchSample(database, { name: 'odd \0 name' })).toBe('r-10000');
    expect((await listRuns(database)).map(({ id, name }) => [id, name])).toEqual([
      ['r-10000', 'odd \u2400 name'],
      ['r-0001', 'a run'],
    ]);
  });

  it('show their newest and best sampled figures on valid_seen, of the newest attempt at each step', async () => {
    await database.pool.query(`TRUNCATE "Run" CASCADE`);
    await launchSample(database);
    const first = await claimSample(database, 'worker-a');
    await first.say(
      status('running'),
      evaluation({ step: 0, successes: 4 }),
      evaluation({ step: 5, successes: 10 }),
      evaluation({ step: 10, successes: 9 }),
    );
    await database.pool.query(`UPDATE "Run" SET "lastBeatAt" = now() - interval '1 hour'`);
    await sweepLeases(database, TEST_LEASE);
    await sweepLeases(database, TEST_LEASE);
    const second = await claimSample(database, 'worker-a');
    await second.say(
      evaluation({ step: 5, successes: 8 }),
      evaluation({ step: 10, successes: 7 }),
      evaluation({ step: 20, successes: 10, decoding: 'greedy' }),
      evaluation({ step: 20, successes: 10, split: 'valid_unseen' }),
      evaluation({ step: 0, successes: 10, policy: 'full_knowledge_planner' }),
    );
    const [row] = await listRuns(database);
    expect(row?.lastEvaluation).toEqual({
      step: 10,
      split: 'valid_seen',
      successes: 7,
      n: 10,
      evaluations: 1,
    });
    expect(row?.bestEvaluation).toEqual({
      step: 5,
      split: 'valid_seen',
      successes: 8,
      n: 10,
      evaluations: 1,
    });
    const rows = await listEvaluations(database, second.runId);
    expect(
      rows.filter((each) => !each.current).map(({ attempt, evaluation: { step } }) => [attempt, step]),
    ).toEqual([
      [1, 5],
      [1, 10],
    ]);
    expect(rows).toHaveLength(8);
  });

  it('that are not there are named', async () => {
    await expect(requireRun(database, 'r-4040')).rejects.toMatchObject({
      code: 'not_found',
      message: 'no run has the id r-4040',
    });
    await expect(eventsAfter(database, 'r-4040', 0)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('replay at most a thousand missed events', async () => {
    await database.pool.query(`TRUNCATE "Run" CASCADE`);
    await launchSample(database);
    const run = await claimSample(database, 'worker-a');
    await run.say(...Array.from({ length: 1000 }, (_, step) => points(step, { 'a/b': step })));
    expect(await eventsAfter(database, run.runId, 0)).toEqual({ events: [], refetch: true });
    const page = await eventsAfter(database, run.runId, 1);
    expect(page.refetch).toBe(false);
    expect(page.events.map((event) => event.position)).toEqual(
      Array.from({ length: 1000 }, (_, index) => index + 2),
    );
    expect(await eventsAfter(database, run.runId, 1001)).toEqual({ events: [], refetch: false });
    expect(await eventsAfter(database, run.runId, 1002)).toEqual({ events: [], refetch: true });
  });
});
