import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { RunRules } from '@/contract/recipes/run-rules';
import type { RunEvent } from '@/contract/run-events';
import { claimRun } from '../queue/claim';
import { heartbeat } from '../queue/heartbeat';
import { sweepLeases } from '../queue/sweep';
import {
  claimSample,
  launchSample,
  sampleWorker,
  status,
  TEST_LEASE,
  type SampleAttempt,
} from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { requestStop } from './commands';
import { continueRun } from './continue-run';
import { requireRun } from './queries';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.pool.query(`TRUNCATE "Run", "Worker", "Point" CASCADE`));

const awaitingPerson: RunEvent = {
  kind: 'status:changed',
  status: 'paused',
  reason: 'by a rule: budget spent',
  resumedFromStep: null,
  awaitsPerson: true,
};

/** A run of ten steps with complete checkpoints of the steps, that then ended as `ending` says. */
async function endedRun(
  steps: readonly number[],
  ending: RunEvent = status('stopped'),
): Promise<SampleAttempt> {
  await launchSample(database, { steps: 10 });
  const attempt = await claimSample(database, 'worker-a');
  await attempt.say(status('running'));
  for (const step of steps) await attempt.saveCheckpoint(step, true);
  await attempt.say(ending);
  return attempt;
}

function claim() {
  return claimRun(database, sampleWorker('worker-a'), TEST_LEASE);
}

async function logOf(runId: string): Promise<string[]> {
  return (await requireRun(database, runId)).view.log.map(({ message }) => message);
}

describe('a continued run', () => {
  it.each([status('stopped'), status('failed', 'out of memory'), awaitingPerson])(
    'goes on from its newest complete checkpoint as the next attempt: %o',
    async (ending) => {
      const { runId } = await endedRun([2, 4], ending);
      await continueRun(database, runId, {});
      const { run } = await requireRun(database, runId);
      expect(run).toMatchObject({
        status: 'queued',
        reason: 'continued from the checkpoint of step 4',
        finishedAt: null,
        workerName: null,
      });
      const claimed = (await claim())?.claimed;
      expect(claimed).toMatchObject({ runId, attempt: 2, resumeFrom: { step: 4 } });
      expect(claimed?.olderResumePoints?.map(({ step }) => step)).toEqual([2]);
    },
  );

  it('has the steps and rules that it was given, and tells of them', async () => {
    const { runId } = await endedRun([4]);
    const rules = RunRules.parse({});
    await continueRun(database, runId, { steps: 20, rules });
    expect((await requireRun(database, runId)).config).toEqual({ ...GRPO_PRESETS.verify, steps: 20, rules });
    expect((await requireRun(database, runId)).run.steps).toBe(20);
    expect(await logOf(runId)).toEqual([
      'Continued on request from the checkpoint of step 4; steps 10 → 20; with other rules',
    ]);
  });

  it('keeps its config where nothing is to change', async () => {
    const { runId } = await endedRun([4]);
    await continueRun(database, runId, {});
    expect((await requireRun(database, runId)).config).toEqual({ ...GRPO_PRESETS.verify, steps: 10 });
  });
});

describe('a run that cannot be continued', () => {
  it.each([
    ['runs', [4], status('running'), 'it is running'],
    ['waits by itself', [4], status('paused', 'the judge is away'), 'it is paused'],
    ['has finished', [4], status('finished'), 'it is finished'],
    ['has no checkpoint', [], status('stopped'), 'none of its checkpoints is complete'],
    ['has no steps left', [10], status('stopped'), 'it needs more steps than 10'],
  ] as const)('%s: it says so and stays as it is', async (_, steps, ending, reason) => {
    const { runId } = await endedRun(steps, ending);
    const before = await requireRun(database, runId);
    await expect(continueRun(database, runId, {})).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(reason) as string,
    });
    expect((await requireRun(database, runId)).view).toEqual(before.view);
  });

  it('may lose as many attempts as a new one, whichever it was continued at', async () => {
    const { runId } = await endedRun([2]);
    await database.pool.query(`UPDATE "Run" SET "attempt" = $1`, [TEST_LEASE.maxAttempts]);
    await continueRun(database, runId, {});
    for (let lost = 1; lost <= TEST_LEASE.maxAttempts; lost++) {
      expect((await claim())?.claimed.attempt).toBe(TEST_LEASE.maxAttempts + lost);
      await database.pool.query(`UPDATE "Run" SET "lastBeatAt" = "lastBeatAt" - interval '1 day'`);
      await sweepLeases(database, TEST_LEASE);
      await sweepLeases(database, TEST_LEASE);
      const { run } = await requireRun(database, runId);
      expect(run.status).toBe(lost < TEST_LEASE.maxAttempts ? 'queued' : 'failed');
      expect(run.reason).toContain(`attempt ${TEST_LEASE.maxAttempts + lost} of 6 was lost`);
    }
  });

  it('goes on from its last step where it gets more', async () => {
    const { runId } = await endedRun([10]);
    await continueRun(database, runId, { steps: 11 });
    expect((await claim())?.claimed.resumeFrom?.step).toBe(10);
  });

  it('is refused fewer steps than it has, unknown changes and a config that does not hold', async () => {
    const { runId } = await endedRun([4]);
    const refused = { code: 'invalid_input' };
    await expect(continueRun(database, runId, { steps: 9 })).rejects.toMatchObject(refused);
    await expect(continueRun(database, runId, { seed: 2 })).rejects.toMatchObject(refused);
    const unpriced = { rules: { ...RunRules.parse({}), costBudget: 5 } };
    await expect(continueRun(database, runId, unpriced)).rejects.toMatchObject({
      ...refused,
      issues: [{ path: 'config.rules.costBudget' }],
    });
    expect((await requireRun(database, runId)).run).toMatchObject({ status: 'stopped', steps: 10 });
  });

  it('is not there', async () => {
    await expect(continueRun(database, 'r-9999', {})).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a run that a rule has paused', () => {
  it('is held by no worker and is not lost, however long it waits', async () => {
    const { runId, workerId, attempt } = await endedRun([4], awaitingPerson);
    const { run, view } = await requireRun(database, runId);
    expect(run).toMatchObject({ status: 'paused', reason: 'by a rule: budget spent', workerName: null });
    expect(view.awaitsPerson).toBe(true);
    await database.pool.query(`UPDATE "Run" SET "lastBeatAt" = "lastBeatAt" - interval '1 day'`);
    expect(await sweepLeases(database, TEST_LEASE)).toEqual([]);
    expect((await heartbeat(database, workerId, { runId, attempt })).control).toBe('end');
    expect((await requireRun(database, runId)).run.status).toBe('paused');
  });

  it('is lost like any other while it runs, whatever its event says of a person', async () => {
    const { runId } = await endedRun([4], { ...awaitingPerson, status: 'running' });
    await database.pool.query(`UPDATE "Run" SET "lastBeatAt" = "lastBeatAt" - interval '1 day'`);
    await sweepLeases(database, TEST_LEASE);
    expect((await requireRun(database, runId)).run.status).toBe('lost');
  });

  it('has stopped at once where it is stopped, and can still be continued', async () => {
    const { runId } = await endedRun([4], awaitingPerson);
    await requestStop(database, runId);
    expect((await requireRun(database, runId)).view).toMatchObject({ status: 'stopped' });
    await continueRun(database, runId, {});
    expect((await requireRun(database, runId)).run.status).toBe('queued');
  });
});
