import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluationKey, type EvaluationResult } from '@/contract/evaluation';
import type { RunEvent } from '@/contract/run-events';
import type { Trajectory } from '@/contract/trajectory';
import { sweepLeases } from '../queue/sweep';
import {
  claimSample,
  evaluation,
  launchSample,
  TEST_LEASE,
  trajectory,
  type SampleAttempt,
} from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { listComparable, readComparison } from './queries';

let database: TestDatabase;
let trained: SampleAttempt;
let requested: SampleAttempt;
let elsewhere: SampleAttempt;

/** An evaluation of two tasks with one trajectory each. */
function evaluated(changes: Partial<EvaluationResult>, won: readonly boolean[]): RunEvent[] {
  const finished = evaluation({ n: won.length, successes: won.filter(Boolean).length, ...changes });
  if (finished.kind !== 'evaluation:finished') throw new Error('an evaluation was expected');
  const { step, split, decoding } = finished.evaluation;
  const key = evaluationKey(finished.evaluation);
  return [
    ...won.map((success, task) => played({ step, split, decoding, evaluation: key, success }, task)),
    finished,
  ];
}

function played(changes: Partial<Trajectory>, task: number): RunEvent {
  return trajectory({
    phase: 'eval',
    group: null,
    taskId: `Open:${task}`,
    taskType: 'Open',
    goal: `open door ${task}`,
    ...changes,
  });
}

beforeAll(async () => {
  database = await openTestDatabase();
  await launchSample(database, { name: 'trained', seed: 1 });
  trained = await claimSample(database, 'worker-a');
  await trained.say(
    ...evaluated({ step: 0 }, [false, false]),
    ...evaluated({ step: 4 }, [true, false]),
    ...evaluated({ step: 4, split: 'valid_unseen' }, [true]),
    ...evaluated({ step: 40 }, [true, true]),
    ...evaluated({ step: 4, policy: 'masked_base' }, [true, true]),
  );
  await launchSample(database, { name: 'requested', seed: 2 });
  requested = await claimSample(database, 'worker-b');
  const checkpoint = { runId: trained.runId, step: 4 };
  await requested.say(...evaluated({ checkpoint, step: 4, seed: 7 }, [false, true]));
  await launchSample(database, { name: '100%_of it' });
  elsewhere = await claimSample(database, 'worker-c');
  await elsewhere.say(evaluation({ step: 4, n: 140, successes: 80 }));
});
afterAll(() => database.close());

const read = (...steps: number[]) =>
  readComparison(
    database,
    steps.map((step) => ({ runId: trained.runId, step })),
  );

describe('a comparison', () => {
  it('has the asked checkpoints in their order, each with its own evaluations and those that were requested', async () => {
    const { checkpoints, tasks } = await read(4, 0);
    expect(checkpoints.map(({ step, runName }) => [step, runName])).toEqual([
      [4, 'trained'],
      [0, 'trained'],
    ]);
    const [four, zero] = checkpoints;
    expect(
      four?.evaluations.map(({ runId, evaluation: { split, seed, policy }, trajectories }) => [
        runId,
        policy,
        split,
        seed,
        trajectories.map(({ taskId, success }) => `${taskId} ${success}`).sort(),
      ]),
    ).toEqual([
      [trained.runId, 'checkpoint', 'valid_seen', 1, ['Open:0 true', 'Open:1 false']],
      [trained.runId, 'checkpoint', 'valid_unseen', 1, ['Open:0 true']],
      [requested.runId, 'checkpoint', 'valid_seen', 7, ['Open:0 false', 'Open:1 true']],
    ]);
    expect(zero?.evaluations).toHaveLength(1);
    expect(tasks.map(({ taskId, goal }) => [taskId, goal]).sort()).toEqual([
      ['Open:0', 'open door 0'],
      ['Open:1', 'open door 1'],
    ]);
  });

  it('does not take step 40 for step 4, and knows runs by their config without the seed', async () => {
    const { checkpoints } = await readComparison(database, [
      { runId: trained.runId, step: 40 },
      { runId: requested.runId, step: 4 },
    ]);
    expect(checkpoints[0]?.evaluations.map(({ evaluation: { successes } }) => successes)).toEqual([2]);
    expect(checkpoints[1]?.evaluations).toEqual([]);
    expect(checkpoints[0]?.configHash).toBe(checkpoints[1]?.configHash);
    expect(checkpoints.map(({ seed }) => seed)).toEqual([1, 2]);
  });

  it('has no trajectories where counts alone were stated', async () => {
    const { checkpoints } = await readComparison(database, [{ runId: elsewhere.runId, step: 4 }]);
    expect(checkpoints[0]?.evaluations[0]).toMatchObject({ evaluation: { n: 140 }, trajectories: [] });
  });

  it('counts a task once, as it was played last', async () => {
    await launchSample(database, { name: 'resumed' });
    const first = await claimSample(database, 'worker-d');
    const events = evaluated({ step: 2 }, [false, true]);
    await first.say(...events.slice(0, 1));
    await first.say(...evaluated({ step: 2 }, [true, true]));
    const { checkpoints } = await readComparison(database, [{ runId: first.runId, step: 2 }]);
    expect(checkpoints[0]?.evaluations[0]?.trajectories.map(({ success }) => success)).toEqual([true, true]);
  });

  it('counts nothing of what a newer attempt has played of an evaluation that it has not ended', async () => {
    const runId = await launchSample(database, { name: 'lost' });
    const first = await claimSample(database, 'worker-f');
    await first.say(...evaluated({ step: 2 }, [false, true]));
    await database.pool.query(`UPDATE "Run" SET "lastBeatAt" = now() - interval '1 hour' WHERE "id" = $1`, [
      runId,
    ]);
    await sweepLeases(database, TEST_LEASE);
    await sweepLeases(database, TEST_LEASE);
    const second = await claimSample(database, 'worker-f');
    await second.say(...evaluated({ step: 2 }, [true, true]).slice(0, 1));
    const { checkpoints } = await readComparison(database, [{ runId, step: 2 }]);
    expect(checkpoints[0]?.evaluations[0]?.trajectories.map(({ success }) => success)).toEqual([false, true]);
  });

  it('finds the trajectories of versions without keys by their attempt and settings', async () => {
    await launchSample(database, { name: 'old' });
    const old = await claimSample(database, 'worker-e');
    await old.say(
      ...evaluated({ step: 3 }, [true, false]),
      ...evaluated({ step: 3, decoding: 'greedy' }, [true]),
    );
    await database.pool.query(`UPDATE "Evaluation" SET "key" = NULL WHERE "runId" = $1`, [old.runId]);
    await database.pool.query(`UPDATE "Trajectory" SET "evaluation" = NULL WHERE "runId" = $1`, [old.runId]);
    const { checkpoints } = await readComparison(database, [{ runId: old.runId, step: 3 }]);
    expect(
      checkpoints[0]?.evaluations.map(({ evaluation: { decoding }, trajectories }) => [
        decoding,
        trajectories.length,
      ]),
    ).toEqual([
      ['sampled', 2],
      ['greedy', 1],
    ]);
  });

  it('says which figures were marked as saying nothing, and why', async () => {
    await database.pool.query(
      `INSERT INTO "MetricMark" ("runId", "name", "reason") VALUES ($1, 'eval/valid_seen/success_rate', '= 1.0 always')`,
      [elsewhere.runId],
    );
    const { checkpoints } = await readComparison(database, [
      { runId: elsewhere.runId, step: 4 },
      { runId: trained.runId, step: 0 },
    ]);
    expect(checkpoints.map(({ evaluations }) => evaluations[0]?.hidden)).toEqual([
      { success_rate: 'hidden: success_rate = 1.0 always' },
      {},
    ]);
  });

  it('refuses a run that is not there by its id', async () => {
    await expect(readComparison(database, [{ runId: 'r-9999', step: 0 }])).rejects.toThrow(
      'no run has the id r-9999',
    );
  });
});

describe('checkpoints that can be compared', () => {
  it('are those evaluated, of a run itself or on request, newest run first', async () => {
    const runs = await listComparable(database, { text: '' });
    expect(runs.map(({ runName }) => runName)).not.toContain('requested');
    expect(runs.find(({ runId }) => runId === trained.runId)?.steps).toEqual([
      { step: 0, splits: ['valid_seen'] },
      { step: 4, splits: ['valid_seen', 'valid_unseen'] },
      { step: 40, splits: ['valid_seen'] },
    ]);
  });

  it('are found by letters of the name or id, of which none is a wildcard', async () => {
    const found = async (text: string) =>
      (await listComparable(database, { text })).map(({ runName }) => runName);
    expect(await found('TRAI')).toEqual(['trained']);
    expect(await found('100%_')).toEqual(['100%_of it']);
    expect(await found('t%d')).toEqual([]);
  });
});
