import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TrajectoriesQuery } from '@/contract/trajectory-list';
import { claimSample, launchSample, trajectory, type SampleAttempt } from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { listTrajectories } from './list';
import { probeIndex, requireTrajectory } from './queries';

const TASK = {
  taskId: 'Open:3',
  taskType: 'Open',
  goal: 'open the door',
  split: 'valid_seen',
  group: null,
} as const;

let database: TestDatabase;
let run: SampleAttempt;
beforeAll(async () => {
  database = await openTestDatabase();
  await launchSample(database);
  run = await claimSample(database, 'worker-a');
  const probe = (step: number, sample: number, decoding: 'greedy' | 'sampled') =>
    trajectory({ ...TASK, phase: 'probe', step, sample, decoding, reward: step + sample / 10 });
  const train = (step: number, group: number, sample: number) =>
    trajectory({
      step,
      group,
      sample,
      reward: sample,
      turnsCount: 9 - sample,
      invalidActions: group,
      success: sample > 0,
    });
  await run.say(
    ...[1, 2].flatMap((step) =>
      [0, 1].flatMap((group) => [0, 1, 2].map((sample) => train(step, group, sample))),
    ),
    ...[0, 2].flatMap((step) => [
      probe(step, 0, 'greedy'),
      ...[0, 1, 2].map((sample) => probe(step, sample, 'sampled')),
    ]),
  );
});
afterAll(() => database.close());

const list = (filters: Record<string, string>) =>
  listTrajectories(database, run.runId, TrajectoriesQuery.parse(filters));

describe('a summary', () => {
  it('leaves out a strategy, however long: only the opened trajectory has it', async () => {
    const strategy = 'Look first. '.repeat(10_000);
    await run.say(trajectory({ step: 7, taskId: 'Long:1', strategy }), trajectory({ step: 7, strategy }));
    const page = await list({ step: '7' });
    expect(JSON.stringify(page).length).toBeLessThan(2000);
    const opened = await requireTrajectory(database, page.trajectories[0]?.id ?? '');
    expect(opened.trajectory.strategy).toBe(strategy);
    expect(opened.siblings).toHaveLength(1);
    expect(opened.siblings[0]).not.toHaveProperty('strategy');
  });
});

describe('a trajectory', () => {
  it('comes with its group, or with the same task outside training', async () => {
    const [trained] = (await list({ phase: 'train', step: '1' })).trajectories;
    const inGroup = await requireTrajectory(database, trained?.id ?? '');
    expect(inGroup.siblings.map((row) => [row.step, row.group])).toEqual([
      [1, trained?.group],
      [1, trained?.group],
    ]);
    const [greedy] = (await list({ phase: 'probe', step: '2', decoding: 'greedy' })).trajectories;
    const ofTask = await requireTrajectory(database, greedy?.id ?? '');
    expect(ofTask.siblings.map((row) => [row.step, row.decoding, row.sample])).toEqual([
      [2, 'sampled', 0],
      [2, 'sampled', 1],
      [2, 'sampled', 2],
    ]);
    expect(ofTask).toMatchObject({ runId: run.runId, runName: 'a run', attempt: 1 });
  });

  it.each(['0', '999999999999', 'x', '1e3', '-1', '9'.repeat(40)])(
    'with the id %s is not found',
    async (id) => {
      await expect(requireTrajectory(database, id)).rejects.toMatchObject({ code: 'not_found' });
    },
  );
});

describe('a probe', () => {
  it('lists its steps and tasks', async () => {
    expect(await probeIndex(database, run.runId)).toEqual({
      steps: [0, 2],
      tasks: [{ taskId: 'Open:3', taskType: 'Open', goal: 'open the door' }],
    });
  });
});
