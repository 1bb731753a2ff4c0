import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { RUN_SORTS, RunsQuery, RunSelection } from '@/contract/run-list';
import { claimSample, evaluation, launchSample, points, status, TEST_LEASE } from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { sweepLeases } from '../queue/sweep';
import { listRuns, summarizeRuns } from './list';

const PRICES = { currency: 'USD', prefillPerMillion: 1, samplePerMillion: 2, trainPerMillion: 3 };

let database: TestDatabase;
/** Ids in the order of launch. */
const ids: string[] = [];
beforeAll(async () => {
  database = await openTestDatabase();
  for (const name of ['delta', 'Alpha', 'charlie', 'Bravo 50%'])
    ids.push(
      await launchSample(database, { name, seed: ids.length, cost: name === 'Alpha' ? PRICES : null }),
    );
  ids.push(
    await launchSample(database, { name: 'echo', environment: { ...GRPO_PRESETS.verify.environment } }),
  );
  const first = await claimSample(database, 'worker-a');
  await first.say(
    status('running'),
    { kind: 'step:finished', step: 3, steps: 10 },
    points(3, { 'reward/mean': 0.5 }),
    evaluation({ step: 0, successes: 6, n: 10 }),
    evaluation({ step: 3, successes: 5, n: 10 }),
    status('finished'),
  );
  const second = await claimSample(database, 'worker-b');
  await second.say(
    status('running'),
    points(1, { 'reward/mean': -2, 'tokens/prefilled': 1000, 'tokens/sampled': 10 }),
    points(2, { 'tokens/prefilled': 500, 'tokens/sampled': 'NaN', 'tokens/probe/sampled': 7 }),
    evaluation({ step: 1, successes: 9, n: 10 }),
    evaluation({ step: 1, split: 'valid_unseen', successes: 10, n: 10 }),
    evaluation({ step: 2, decoding: 'greedy', successes: 10, n: 10 }),
  );
  const third = await claimSample(database, 'worker-c');
  await third.say(points(1, { 'reward/mean': 'NaN' }));
});
afterAll(() => database.close());

const list = (query: Record<string, unknown> = {}) => listRuns(database, RunsQuery.parse(query));
const names = async (query: Record<string, unknown> = {}) => (await list(query)).map((run) => run.name);
const summary = (query: Record<string, unknown>) => summarizeRuns(database, RunSelection.parse(query));

describe('a list of runs', () => {
  it('has the newest first, each with environment, tokens and prices', async () => {
    expect(await names()).toEqual(['echo', 'Bravo 50%', 'charlie', 'Alpha', 'delta']);
    const alpha = (await list()).find((run) => run.name === 'Alpha');
    expect(alpha).toMatchObject({
      environment: 'babyai',
      prices: PRICES,
      tokens: { 'tokens/prefilled': 1500, 'tokens/sampled': 10, 'tokens/probe/sampled': 7 },
    });
    expect((await list())[0]).toMatchObject({ tokens: {}, prices: null });
  });

  it.each<[Record<string, unknown>, string[]]>([
    [{ sort: 'newest', direction: 'asc' }, ['delta', 'Alpha', 'charlie', 'Bravo 50%', 'echo']],
    [{ sort: 'name', direction: 'asc' }, ['Alpha', 'Bravo 50%', 'charlie', 'delta', 'echo']],
    [{ sort: 'reward' }, ['delta', 'Alpha', 'echo', 'Bravo 50%', 'charlie']],
    [{ sort: 'reward', direction: 'asc' }, ['Alpha', 'delta', 'charlie', 'Bravo 50%', 'echo']],
    [{ sort: 'last' }, ['Alpha', 'delta', 'echo', 'Bravo 50%', 'charlie']],
    [{ sort: 'best' }, ['Alpha', 'delta', 'echo', 'Bravo 50%', 'charlie']],
    [{ sort: 'step' }, ['delta', 'echo', 'Bravo 50%', 'charlie', 'Alpha']],
  ])('ordered by %o is %j: missing values come last', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('goes by the rate of the best and of the last evaluation, not by its count', async () => {
    const [alpha, delta] = await list({ sort: 'last' });
    expect(alpha?.lastEvaluation).toMatchObject({ step: 1, successes: 9, n: 10 });
    expect(delta?.lastEvaluation).toMatchObject({ step: 3, successes: 5, n: 10 });
    const { rows } = await database.pool.query(
      `SELECT "lastRate", "bestRate" FROM "Run" WHERE "bestRate" IS NOT NULL ORDER BY "number"`,
    );
    expect(rows).toEqual([
      { lastRate: 0.5, bestRate: 0.6 },
      { lastRate: 0.9, bestRate: 0.9 },
    ]);
  });

  it.each(
    RUN_SORTS.flatMap((sort) => [
      { sort, direction: 'asc' },
      { sort, direction: 'desc' },
    ]),
  )('goes over every run once by %o, whatever the length of its pages', async (order) => {
    const whole = await names({ ...order });
    for (const limit of [1, 2, 3]) {
      const read: string[] = [];
      for (let page = await list({ ...order, limit }); page.length > 0;) {
        read.push(...page.map((run) => run.name));
        page = await list({ ...order, limit, after: page.at(-1)?.cursor });
      }
      expect(read).toEqual(whole);
    }
  });

  it.each<[Record<string, unknown>, string[]]>([
    [{ text: 'ALPH' }, ['Alpha']],
    [{ text: 'grpo  seed' }, ['echo', 'Bravo 50%', 'charlie', 'Alpha', 'delta']],
    [{ text: 'r-0003' }, ['charlie']],
    [{ text: 'worker-b' }, ['Alpha']],
    [{ text: '50%' }, ['Bravo 50%']],
    [{ text: '5_%' }, []],
    [{ text: "' OR true --" }, []],
    [{ status: 'finished' }, ['delta']],
    [{ status: 'finished,queued' }, ['echo', 'Bravo 50%', 'delta']],
    [{ environment: 'alfworld' }, []],
    [
      { environment: 'babyai', recipe: 'grpo', kind: 'training', text: 'a' },
      ['Bravo 50%', 'charlie', 'Alpha', 'delta'],
    ],
    [{ kind: 'import' }, []],
    [{ recipe: 'dapo' }, []],
  ])('filtered by %o is %j, and its summary counts as many', async (query, expected) => {
    const read = await names(query);
    if (query['text'] === 'a') expect(read).toEqual(expect.arrayContaining(expected));
    else expect(read).toEqual(expected);
    expect(await summary(query)).toMatchObject({ matching: read.length, total: 5 });
  });

  it('is of the named runs alone, those that match the filters', async () => {
    const [delta, alpha] = ids;
    expect(await names({ id: [delta, alpha, 'r-9999'], status: 'finished' })).toEqual(['delta']);
  });

  it.each([
    { sort: 'step', after: '1_x' },
    { sort: 'reward', after: '1_' },
    { sort: 'reward', after: '1_1e999' },
    { sort: 'reward', after: '1_0x10' },
    { sort: 'newest', after: '9999999999_5' },
    { sort: 'name', after: '9999999999_alpha' },
  ])('refuses to go on after a cursor of another order: %o', async (query) => {
    await expect(list(query)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('knows how many runs each status would show, and what there is to filter by', async () => {
    expect(await summary({ status: 'finished' })).toEqual({
      matching: 1,
      total: 5,
      statuses: { finished: 1, running: 1, starting: 1, queued: 2 },
      recipes: ['grpo'],
      environments: ['babyai'],
    });
  });

  it('has the rate of the newest attempt at a step', async () => {
    await database.pool.query(
      `UPDATE "Run" SET "lastBeatAt" = now() - interval '1 hour', "number" = "number" - 100 WHERE "id" = $1`,
      [ids[1]],
    );
    await sweepLeases(database, TEST_LEASE);
    await sweepLeases(database, TEST_LEASE);
    const again = await claimSample(database, 'worker-b');
    expect(again.runId).toBe(ids[1]);
    await again.say(evaluation({ step: 1, successes: 2, n: 10 }));
    expect((await list({ text: 'alpha' }))[0]?.lastEvaluation?.successes).toBe(2);
    const { rows } = await database.pool.query(`SELECT "bestRate" FROM "Run" WHERE "id" = $1`, [ids[1]]);
    expect(rows).toEqual([{ bestRate: 0.2 }]);
  });
});
