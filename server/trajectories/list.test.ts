import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TrajectoriesQuery } from '@/contract/trajectory-list';
import { claimSample, launchSample, trajectory, type SampleAttempt } from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { listTrajectories } from './list';
import { summarizeTrajectories, trajectoryFilterValues } from './list-summary';

const PROBED = { taskId: 'Open:3', taskType: 'Open', split: 'valid_seen', group: null } as const;

let database: TestDatabase;
let run: SampleAttempt;
let otherRun: SampleAttempt;
beforeAll(async () => {
  database = await openTestDatabase();
  await launchSample(database);
  run = await claimSample(database, 'worker-a');
  await launchSample(database, { name: 'another run' });
  otherRun = await claimSample(database, 'worker-b');
  const train = (step: number, group: number, sample: number) =>
    trajectory({
      step,
      group,
      sample,
      reward: sample,
      shapedReward: sample / 2,
      turnsCount: 9 - sample,
      invalidActions: group,
      replyTokens: 10 * sample,
      success: sample > 0,
      stopReason: sample > 0 ? 'success' : 'turn_limit',
      flags: sample === 2 ? ['history_rewritten'] : [],
    });
  const probe = (step: number, sample: number, decoding: 'greedy' | 'sampled') =>
    trajectory({ ...PROBED, phase: 'probe', step, sample, decoding, reward: step + sample / 10 });
  await run.say(
    ...[1, 2].flatMap((step) =>
      [0, 1].flatMap((group) => [0, 1, 2].map((sample) => train(step, group, sample))),
    ),
    ...[0, 2].flatMap((step) => [
      probe(step, 0, 'greedy'),
      ...[0, 1, 2].map((sample) => probe(step, sample, 'sampled')),
    ]),
  );
  await otherRun.say(trajectory({ step: 9, taskType: 'PickUp', evaluation: 'a key' }));
});
afterAll(() => database.close());

const list = (filters: Record<string, string> = {}, runId: string | null = run.runId) =>
  listTrajectories(database, runId, TrajectoriesQuery.parse(filters));

/** All rows, page after page. */
async function pages(filters: Record<string, string>, runId: string | null = run.runId) {
  const rows = [];
  let page = await list(filters, runId);
  rows.push(...page.trajectories);
  while (page.next !== null) {
    page = await list({ ...filters, after: page.next }, runId);
    rows.push(...page.trajectories);
  }
  return rows;
}

describe('a list of trajectories', () => {
  it('of a run has its newest step first; of all runs what came last', async () => {
    expect((await list({ limit: '6' })).trajectories.map((row) => row.step)).toEqual([2, 2, 2, 2, 2, 2]);
    const [first, second] = (await list({}, null)).trajectories;
    expect(first).toMatchObject({ runId: otherRun.runId, runName: 'another run', step: 9, hit: null });
    expect(second).toMatchObject({ runId: run.runId, runName: 'a run' });
  });

  it.each<[Record<string, string>, number]>([
    [{ step: '2' }, 10],
    [{ phase: 'train', step: '1' }, 6],
    [{ taskType: 'Open', decoding: 'greedy' }, 2],
    [{ taskId: 'Open:3', split: 'valid_seen' }, 8],
    [{ phase: 'train', success: 'false' }, 4],
    [{ stopReason: 'turn_limit' }, 4],
    [{ flag: 'history_rewritten' }, 4],
    [{ phase: 'train', minTurns: '8' }, 8],
    [{ phase: 'train', minTurns: '8', maxTurns: '8' }, 4],
    [{ phase: 'train', minTokens: '10', maxTokens: '19' }, 4],
    [{ phase: 'train', minReward: '0.5', maxReward: '1.5' }, 4],
    [{ phase: 'probe', minReward: '-1', maxReward: '0' }, 2],
    [{ evaluation: 'a key' }, 0],
    [{ phase: 'manual' }, 0],
  ])('filtered by %o has %i rows, and its summary counts as many', async (filters, total) => {
    expect((await list({ ...filters, limit: '500' })).trajectories).toHaveLength(total);
    expect(await summarizeTrajectories(database, run.runId, TrajectoriesQuery.parse(filters))).toMatchObject({
      total,
      isLowerBound: false,
    });
  });

  it.each(['newest', 'reward', 'turns', 'invalid_actions', 'tokens'])(
    'by %s goes over every row once, whatever the length of its pages',
    async (order) => {
      const whole = (await pages({ order, limit: '500' })).map((row) => row.id);
      expect(new Set(whole).size).toBe(20);
      for (const limit of ['1', '7', '20'])
        expect((await pages({ order, limit })).map((row) => row.id)).toEqual(whole);
    },
  );

  it.each([
    ['reward', 'reward'],
    ['turns', 'turnsCount'],
    ['invalid_actions', 'invalidActions'],
    ['tokens', 'replyTokens'],
  ] as const)('by %s has the highest first', async (order, field) => {
    const values = (await pages({ phase: 'train', order, limit: '4' })).map((row) => row[field]);
    expect(values).toEqual([...values].sort((one, other) => Number(other) - Number(one)));
    expect(new Set(values).size).toBeGreaterThan(1);
  });

  it('goes on after the last row although newer ones have come meanwhile', async () => {
    const first = await list({ phase: 'probe', limit: '3', order: 'newest' });
    await run.say(trajectory({ ...PROBED, phase: 'probe', step: 8 }));
    const second = await list({ phase: 'probe', limit: '3', after: first.next ?? '' });
    const ids = [...first.trajectories, ...second.trajectories].map((row) => row.id);
    expect(new Set(ids).size).toBe(6);
    await database.pool.query(`DELETE FROM "Trajectory" WHERE "step" = 8`);
  });

  it('has the figures of whole groups, also where a filter shows a part of them', async () => {
    const page = await list({ phase: 'train', step: '1', success: 'false' });
    expect(page.trajectories).toHaveLength(2);
    expect(page.groups.sort((one, other) => one.group - other.group)).toEqual(
      [0, 1].map((group) => ({
        runId: run.runId,
        attempt: 1,
        step: 1,
        group,
        n: 3,
        judged: 3,
        successes: 2,
        rewarded: 3,
        mean: 0.5,
        lowest: 0,
        highest: 1,
      })),
    );
    expect((await list({ phase: 'probe' })).groups).toEqual([]);
  });

  it('knows what its filters can be set to', async () => {
    expect(await trajectoryFilterValues(database, run.runId)).toEqual({
      steps: [0, 1, 2],
      taskTypes: ['GoToLocalS8N7', 'Open'],
      flags: ['history_rewritten', 'loop'],
    });
    expect(await trajectoryFilterValues(database, null)).toEqual({
      steps: [],
      taskTypes: ['GoToLocalS8N7', 'Open', 'PickUp'],
      flags: ['history_rewritten', 'loop'],
    });
    expect((await trajectoryFilterValues(database, otherRun.runId)).flags).toEqual(['loop']);
    expect(await trajectoryFilterValues(database, 'r-9999')).toEqual({ steps: [], taskTypes: [], flags: [] });
  });

  it.each([
    ...['x_1', '1', '1_', '1_x', "1_1'", '_1', '1.5_1', '-1_1', '---_1', '999999999999999999999_1'].map(
      (after) => ({
        order: 'newest',
        after,
      }),
    ),
    { order: 'tokens', after: '0.5_1' },
    ...['e_1', '1e400_1', 'Infinity_1', '0x10_1', '0.5_9999999999999999999', '1.2.3_1'].map((after) => ({
      order: 'reward',
      after,
    })),
  ])('refuses to go on after what is no place of the order: %j', ({ order, after }) => {
    const refused = TrajectoriesQuery.safeParse({ order, after });
    expect(refused.error?.issues).toMatchObject([{ path: ['after'] }]);
  });

  it('is filtered by whatever its filters offer, a long task type too', async () => {
    const taskType = 'look at it under the light '.repeat(20);
    await run.say(trajectory({ phase: 'fork', step: 0, taskType }));
    expect((await trajectoryFilterValues(database, run.runId)).taskTypes).toContain(taskType);
    expect((await list({ taskType })).trajectories).toHaveLength(1);
    await database.pool.query(`DELETE FROM "Trajectory" WHERE "phase" = 'fork'`);
    expect(TrajectoriesQuery.safeParse({ taskType: 'x'.repeat(3_000) }).success).toBe(false);
  });

  it('goes on after any place that the order can have', async () => {
    for (const after of ['-1.5e-7_0', '1e+21_9']) await list({ order: 'reward', after });
    for (const order of ['newest', 'turns', 'invalid_actions', 'tokens'])
      expect((await list({ order, after: '999999999999999999_1' })).trajectories).not.toEqual([]);
  });
});
