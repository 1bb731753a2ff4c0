import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '@/contract/run-events';
import { sweepLeases } from '../queue/sweep';
import {
  claimSample,
  launchSample,
  points,
  sampleTurn,
  status,
  TEST_LEASE,
  trajectory,
  type SampleAttempt,
} from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { Analyst, type AnalysedRun } from './analyst';
import { listFailureClusters } from './failure-clusters';
import { acknowledgeAlert, listAlerts, listOpenAlerts } from './queries';

let database: TestDatabase;
let run: SampleAttempt;
let analyst: Analyst;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query(`TRUNCATE "Run", "Point" CASCADE`);
  await launchSample(database);
  run = await claimSample(database, 'worker-a');
  analyst = new Analyst(database);
});

async function look(by: Analyst = analyst): Promise<AnalysedRun[]> {
  const told: AnalysedRun[] = [];
  await by.look((analysed) => told.push(analysed));
  return told;
}

/** `detector subject step lastStep` of the run's alerts. */
async function alerts(): Promise<string[]> {
  const { alerts: found } = await listAlerts(database, run.runId);
  return found.map(({ detector, subject, step, lastStep }) => [detector, subject, step, lastStep].join(' '));
}

const passAtOne = (step: number, value = 1): RunEvent => points(step, { 'val-core/alfworld/pass@1': value });

/** A lost trajectory that says `None available` from its second turn on. */
function givenUp(step: number): RunEvent {
  const none = { action: 'None available', admissible: false, valid: false, stateHash: 'same' };
  const turns = [sampleTurn(0), sampleTurn(1, none), sampleTurn(2, none), sampleTurn(3, none)];
  return trajectory({ step, phase: 'eval', success: false, stopReason: 'turn_limit', turns });
}

describe('the detectors', () => {
  it('store what they find once, however often they look, and say which run they have read', async () => {
    await run.say(status('running'), passAtOne(0), passAtOne(10), passAtOne(20));
    expect(await look()).toEqual([{ runId: run.runId, alertsChanged: true }]);
    expect(await look()).toEqual([]);
    expect(await alerts()).toEqual(['constant_metric val-core/alfworld/pass@1 20 20']);
    const { position, readings } = await listAlerts(database, run.runId);
    expect(position).toBe(5);
    expect(readings).toHaveLength(14);
    expect(readings.find(({ detector }) => detector === 'entropy_change')?.reading).toBeNull();
  });

  it('go on where they were, and after a restart find the same again', async () => {
    await run.say(status('running'), passAtOne(0), passAtOne(10), passAtOne(20));
    await look();
    const before = await listAlerts(database, run.runId);
    await run.say(passAtOne(30));
    expect(await look(new Analyst(database))).toEqual([{ runId: run.runId, alertsChanged: true }]);
    expect(await alerts()).toEqual(['constant_metric val-core/alfworld/pass@1 20 30']);
    const after = await listAlerts(database, run.runId);
    expect(after.alerts[0]?.id).toBe(before.alerts[0]?.id);
    await run.say(passAtOne(40, 0.5));
    expect(await look()).toEqual([{ runId: run.runId, alertsChanged: false }]);
  });

  it('find what an attempt overwrites no more', async () => {
    await run.say(status('running'), passAtOne(0), passAtOne(10), passAtOne(20));
    await look();
    await database.pool.query(`UPDATE "Run" SET "lastBeatAt" = now() - interval '1 hour', "status" = 'queued',
      "view" = jsonb_set("view", '{status}', '"queued"'), "workerId" = NULL`);
    const next = await claimSample(database, 'worker-b');
    await next.say(passAtOne(10, 0.25));
    await look();
    expect(await alerts()).toEqual([]);
  });

  it('open the turn at which a trajectory gives up, once the run has left its step', async () => {
    await run.say(status('running'), givenUp(31));
    await look();
    expect(await alerts()).toEqual([]);
    await run.say({ kind: 'step:finished', step: 32, steps: 40 });
    await look();
    expect(await alerts()).toEqual([
      'none_available eval 31 31',
      'repeated_actions eval 31 31',
      'ungrounded_actions eval 31 31',
    ]);
    const [found] = (await listAlerts(database, run.runId)).alerts;
    const { rows } = await database.pool.query<{ id: string }>(`SELECT "id" FROM "Trajectory"`);
    expect(found?.evidence[0]).toEqual({ kind: 'trajectory', trajectoryId: rows[0]?.id, turn: 1 });
  });

  it('mark trajectories that were stored before marks were', async () => {
    await run.say(status('running'), givenUp(31), status('finished'));
    await database.pool.query(
      `UPDATE "Trajectory" SET "marks" = NULL, "failureMode" = NULL, "firstBadTurn" = NULL`,
    );
    expect(await listFailureClusters(database, run.runId, {})).toEqual([
      { step: 31, phase: 'eval', n: 1, failed: 1, unscored: 0, unmarked: 1, clusters: [] },
    ]);
    await look();
    expect(await alerts()).toContain('none_available eval 31 31');
    expect(await listFailureClusters(database, run.runId, {})).toMatchObject([{ unmarked: 0 }]);
  });

  it('read the other runs where one cannot be read', async () => {
    await run.say(status('running'), passAtOne(0), passAtOne(10), passAtOne(20));
    await launchSample(database);
    const broken = await claimSample(database, 'worker-b');
    await broken.say(status('running'));
    await database.pool.query(
      `UPDATE "RunEvent" SET "payload" = '{"kind": "points:measured"}' WHERE "runId" = $1`,
      [broken.runId],
    );
    await database.pool.query(`UPDATE "RunEvent" SET "kind" = 'points:measured' WHERE "runId" = $1`, [
      broken.runId,
    ]);
    expect((await look()).map(({ runId }) => runId)).toEqual([run.runId]);
    expect(await look()).toEqual([]);
  });
});

describe('an alert', () => {
  it('that a person took note of stays so while it holds, and leaves the list of open ones', async () => {
    await run.say(status('running'), passAtOne(0), passAtOne(10), passAtOne(20));
    await look();
    const [alert] = await listOpenAlerts(database, [run.runId, 'r-9999']);
    if (!alert) throw new Error('an alert was stored');
    expect((await acknowledgeAlert(database, alert.id, true)).acknowledgedAt).toBeGreaterThan(0);
    await run.say(passAtOne(30));
    await look();
    expect(await listOpenAlerts(database, [run.runId])).toEqual([]);
    expect((await acknowledgeAlert(database, alert.id, false)).acknowledgedAt).toBeNull();
    expect(await listOpenAlerts(database, [run.runId])).toHaveLength(1);
    await expect(acknowledgeAlert(database, '999', true)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('failures', () => {
  it('are clustered by mode and first bad turn, each step and phase apart, the largest first', async () => {
    const outOfTurns = trajectory({
      step: 31,
      phase: 'eval',
      success: false,
      stopReason: 'turn_limit',
      turns: [],
    });
    const won = trajectory({ step: 31, phase: 'eval' });
    await run.say(status('running'), givenUp(31), givenUp(31), outOfTurns, won, givenUp(1));
    expect(await listFailureClusters(database, run.runId, { step: 31, phase: 'eval' })).toEqual([
      {
        step: 31,
        phase: 'eval',
        n: 4,
        failed: 3,
        unscored: 0,
        unmarked: 0,
        clusters: [
          { mode: 'none_available', firstBadTurn: 1, count: 2 },
          { mode: 'turn_limit', firstBadTurn: null, count: 1 },
        ],
      },
    ]);
    const steps = await listFailureClusters(database, run.runId, {});
    expect(steps.map(({ step, n, failed }) => [step, n, failed])).toEqual([
      [31, 4, 3],
      [1, 1, 1],
    ]);
  });

  it('of an evaluation that a second attempt goes on with are those of both', async () => {
    await database.pool.query(
      `UPDATE "Run" SET "recipe" = 'checkpoint-evaluation', "lastBeatAt" = now() - interval '1 day'`,
    );
    await run.say(givenUp(31), givenUp(31));
    await sweepLeases(database, TEST_LEASE);
    await sweepLeases(database, TEST_LEASE);
    await database.pool.query(`UPDATE "Run" SET "recipe" = 'grpo'`);
    const again = await claimSample(database, 'worker-a');
    await database.pool.query(`UPDATE "Run" SET "recipe" = 'checkpoint-evaluation'`);
    await again.say(trajectory({ step: 31, phase: 'eval' }), status('finished'));
    expect(await listFailureClusters(database, run.runId, {})).toMatchObject([{ step: 31, n: 3, failed: 2 }]);
    await look();
    const { alerts: found } = await listAlerts(database, run.runId);
    expect(found.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^2 of 3 trajectories say 3 times in a row/),
    );
  });
});
