import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RewardsQuery } from '@/contract/rewards';
import { sweepLeases } from '../queue/sweep';
import {
  claimSample,
  launchSample,
  sampleTurn,
  TEST_LEASE,
  trajectory,
  type SampleAttempt,
} from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { rescoredRewards } from './rescored';

let database: TestDatabase;
let run: SampleAttempt;
beforeAll(async () => {
  database = await openTestDatabase();
  await launchSample(database);
  run = await claimSample(database, 'worker-a');
  const turns = [sampleTurn(0), sampleTurn(1, { valid: false })];
  const played = (step: number, sample: number, success: boolean) =>
    trajectory({
      step,
      sample,
      success,
      reward: 0.5,
      shapedReward: 0.5,
      stopReason: success ? 'success' : 'failure',
      turns,
    });
  await run.say(
    played(1, 0, true),
    played(1, 1, false),
    played(2, 0, false),
    played(2, 1, false),
    trajectory({
      step: 2,
      sample: 2,
      stopReason: 'error',
      error: { stage: 'step', message: 'no' },
      shapedReward: null,
    }),
    trajectory({ step: 2, phase: 'eval', group: null, shapedReward: null }),
  );
});
afterAll(() => database.close());

const ask = (query: Record<string, string>) =>
  rescoredRewards(database, run.runId, RewardsQuery.parse(query));

describe('rewards under another formula', () => {
  it('stand beside the recorded ones, by step and in all, with the groups that teach nothing', async () => {
    const { own, formula, total, steps } = await ask({ outcome: 'won', invalidActionPenalty: '0.25' });
    expect(own).toMatchObject({ outcome: 'environment', over: 'trajectories' });
    expect(formula).toMatchObject({ outcome: 'won', scale: 1, invalidActionPenalty: 0.25 });
    expect(steps).toEqual([
      {
        step: 1,
        n: 2,
        errors: 0,
        unscored: 0,
        old: { n: 2, mean: 0.5, groups: 1, degenerateGroups: 1 },
        new: { n: 2, mean: 0.25, groups: 1, degenerateGroups: 0 },
      },
      {
        step: 2,
        n: 2,
        errors: 1,
        unscored: 0,
        old: { n: 2, mean: 0.5, groups: 1, degenerateGroups: 1 },
        new: { n: 2, mean: -0.25, groups: 1, degenerateGroups: 1 },
      },
    ]);
    expect(total).toMatchObject({
      n: 4,
      errors: 1,
      unscored: 0,
      old: { mean: 0.5 },
      new: { mean: 0, degenerateGroups: 1 },
    });
  });

  it('of one step name each trajectory', async () => {
    const { trajectories } = await ask({
      outcome: 'won',
      invalidActionPenalty: '0',
      fromStep: '1',
      toStep: '1',
    });
    expect(trajectories.map(({ sample, old, new: rescored }) => [sample, old, rescored])).toEqual([
      [0, 0.5, 1],
      [1, 0.5, 0],
    ]);
  });

  it('of trajectories that the recipe gave none have no old ones', async () => {
    expect((await ask({ phase: 'eval' })).total).toMatchObject({
      n: 1,
      old: { n: 0, mean: null },
      new: { n: 1, groups: 0 },
    });
  });

  it('are of the newest attempt at each step', async () => {
    await database.pool.query(`UPDATE "Run" SET "lastBeatAt" = "lastBeatAt" - interval '1 day'`);
    await sweepLeases(database, TEST_LEASE);
    await sweepLeases(database, TEST_LEASE);
    const again = await claimSample(database, 'worker-b');
    await again.say(trajectory({ step: 2, shapedReward: 0.75 }));
    const { steps } = await ask({});
    expect(steps.map(({ step, old }) => [step, old.n, old.mean])).toEqual([
      [1, 2, 0.5],
      [2, 1, 0.75],
    ]);
  });

  it('are refused of a run that is not there and by a formula that is none', async () => {
    await expect(rescoredRewards(database, 'r-9999', RewardsQuery.parse({}))).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(RewardsQuery.safeParse({ scale: '' }).success).toBe(false);
    expect(RewardsQuery.safeParse({ scale: '-1' }).success).toBe(false);
    expect(RewardsQuery.safeParse({ outcome: 'lost' }).success).toBe(false);
  });

  it('are of all attempts where each goes on from what is stored', async () => {
    await database.pool.query(`UPDATE "Run" SET "recipe" = 'checkpoint-evaluation'`);
    const { steps } = await ask({});
    expect(steps.map(({ step, old }) => [step, old.n])).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });
});
