import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluationKey } from '@/contract/evaluation';
import type { Turn } from '@/contract/trajectory';
import { sweepLeases } from '../queue/sweep';
import {
  claimSample,
  evaluation,
  launchSample,
  sampleTrajectory,
  TEST_LEASE,
  trajectory,
  type SampleAttempt,
} from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { probeShift } from './probe-shift';
import { requirePair, requireTrajectoryPair, sameTask } from './queries';

const TASK = {
  taskId: 'Open:3',
  taskType: 'Open',
  goal: 'open the door',
  split: 'valid_seen',
  group: null,
} as const;

/** Turns from `action@state`, `!` before an action that is not in the list and is refused. */
function turnsOf(text: string): Turn[] {
  const [turn] = sampleTrajectory().turns;
  if (!turn) throw new Error('a sample trajectory has turns');
  return text.split(' ').map((move, index) => {
    const [name = '', stateHash = null] = move.split('@');
    const offered = !name.startsWith('!');
    return {
      ...turn,
      index,
      action: name.replace('!', ''),
      stateHash,
      picture: null,
      formatOk: true,
      availableActions: ['left', 'go'],
      admissible: offered,
      valid: offered,
    };
  });
}

let database: TestDatabase;
let run: SampleAttempt;
let other: SampleAttempt;

const probe = (
  step: number,
  sample: number,
  decoding: 'greedy' | 'sampled',
  text: string,
  success = false,
) => {
  const turns = turnsOf(text);
  return trajectory({
    ...TASK,
    phase: 'probe',
    step,
    sample,
    decoding,
    success,
    turns,
    turnsCount: turns.length,
  });
};

beforeAll(async () => {
  database = await openTestDatabase();
  await launchSample(database);
  run = await claimSample(database, 'worker-a');
  await run.say(
    probe(0, 0, 'greedy', 'left@1 !fly@2 !fly@2'),
    probe(0, 0, 'sampled', 'left@1 go@2'),
    probe(0, 1, 'sampled', 'left@1 left@2'),
    probe(0, 2, 'sampled', 'go@1'),
    probe(2, 0, 'greedy', 'left@1 go@2', true),
    trajectory({ ...TASK, taskId: 'Open:9', phase: 'probe', step: 2, decoding: 'greedy' }),
    { kind: 'status:changed', status: 'finished', reason: null, resumedFromStep: null },
  );
  // Another run evaluates checkpoint 0 of the first.
  await launchSample(database);
  other = await claimSample(database, 'worker-a');
  const checkpoint = { runId: run.runId, step: 0 };
  const settings = {
    checkpoint,
    step: 0,
    policy: 'checkpoint',
    split: 'valid_seen',
    decoding: 'sampled',
    seed: 1,
  } as const;
  await other.say(
    evaluation(settings),
    trajectory({
      ...TASK,
      phase: 'eval',
      step: 0,
      sample: 0,
      evaluation: evaluationKey(settings),
      turns: turnsOf('left@1 go@2'),
    }),
  );
});
afterAll(() => database.close());

async function idOf(
  runId: string,
  where: { phase: string; step: number; decoding?: string; sample?: number },
) {
  const row = await database.prisma.trajectory.findFirstOrThrow({
    where: { runId, taskId: TASK.taskId, ...where },
    select: { id: true },
  });
  return String(row.id);
}

describe('a pair of a probe task', () => {
  it('lays two steps side by side, with the samples of each and how early they part', async () => {
    const pair = await requirePair(database, run.runId, { taskId: 'Open:3', a: 0, b: 2 });
    expect(pair).toMatchObject({ taskType: 'Open', goal: 'open the door' });
    expect(pair.a).toMatchObject({ runName: 'a run', step: 0, checkpointRun: null });
    expect(pair.a.played?.trajectory).toMatchObject({ step: 0, decoding: 'greedy' });
    expect(pair.a.samples.map((row) => row.sample)).toEqual([0, 1, 2]);
    // Samples 0 and 1 part at turn 2, both part from sample 2 at turn 1.
    expect(pair.a.noiseFloor).toEqual({ samples: 3, pairs: 3, neverPart: 0, medianTurn: 1 });
    expect(pair.b).toMatchObject({ samples: [], noiseFloor: null });
  });

  it('has an empty side where the step was not probed, and is not found where neither was', async () => {
    const pair = await requirePair(database, run.runId, { taskId: 'Open:3', a: 0, b: 1 });
    expect(pair.b).toMatchObject({ step: 1, played: null, samples: [], noiseFloor: null });
    await expect(requirePair(database, run.runId, { taskId: 'Open:4', a: 0, b: 2 })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('a pair of any two trajectories', () => {
  it('lays a sample beside another run’s evaluation of the same checkpoint, with that checkpoint’s probe', async () => {
    const a = await idOf(run.runId, { phase: 'probe', step: 2, decoding: 'greedy' });
    const b = await idOf(other.runId, { phase: 'eval', step: 0 });
    const pair = await requireTrajectoryPair(database, { a, b });
    expect(pair.a).toMatchObject({ runId: run.runId, checkpointRun: null, played: { id: a } });
    expect(pair.b).toMatchObject({
      runId: other.runId,
      checkpointRun: { id: run.runId, name: 'a run' },
      step: 0,
      played: { id: b },
      noiseFloor: { samples: 3 },
    });
    expect(pair.b.samples.map((row) => row.phase)).toEqual(['probe', 'probe', 'probe']);
  });

  it('names the checkpoint of an evaluation that has not ended and of a continuation', async () => {
    await launchSample(database);
    const working = await claimSample(database, 'worker-a');
    const evaluated = `${run.runId}/2/checkpoint/valid_seen/sampled/1`;
    await working.say(
      trajectory({ ...TASK, phase: 'eval', step: 2, evaluation: evaluated, turns: turnsOf('left@1') }),
      trajectory({ ...TASK, phase: 'fork', step: 0, turns: turnsOf('left@1') }),
    );
    await database.pool.query(
      `UPDATE "Run" SET "config" = jsonb_set("config", '{checkpoints}', $2) WHERE "id" = $1`,
      [working.runId, JSON.stringify([{ runId: run.runId, step: 0 }])],
    );
    const pair = await requireTrajectoryPair(database, {
      a: await idOf(working.runId, { phase: 'eval', step: 2 }),
      b: await idOf(working.runId, { phase: 'fork', step: 0 }),
    });
    const checkpointRun = { id: run.runId, name: 'a run' };
    expect(pair).toMatchObject({ a: { checkpointRun, step: 2 }, b: { checkpointRun, step: 0 } });
    await database.prisma.run.delete({ where: { id: working.runId } });
  });

  it('is refused across tasks, in words that name both', async () => {
    const a = await idOf(run.runId, { phase: 'probe', step: 2, decoding: 'greedy' });
    const b = await database.prisma.trajectory.findFirstOrThrow({ where: { taskId: 'Open:9' } });
    await expect(requireTrajectoryPair(database, { a, b: String(b.id) })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/task Open:3.*task Open:9/) as string,
    });
  });

  it('names the side whose trajectory is not there', async () => {
    const a = await idOf(run.runId, { phase: 'probe', step: 2, decoding: 'greedy' });
    await expect(requireTrajectoryPair(database, { a, b: 'x' })).rejects.toMatchObject({
      code: 'not_found',
      issues: [{ path: 'b', message: 'expected the id of a trajectory' }],
    });
  });

  it('is offered every other trajectory of the task, the newest first', async () => {
    const id = await idOf(run.runId, { phase: 'probe', step: 2, decoding: 'greedy' });
    const page = await sameTask(database, id);
    expect(page).toMatchObject({ taskId: 'Open:3', goal: 'open the door', total: 5 });
    expect(page.trajectories.map((row) => [row.runId === other.runId, row.phase, row.step])).toEqual([
      [true, 'eval', 0],
      [false, 'probe', 0],
      [false, 'probe', 0],
      [false, 'probe', 0],
      [false, 'probe', 0],
    ]);
  });
});

describe('the shift of a probe between two steps', () => {
  it('tells of each task what was done at both, and where the greedy trajectories part', async () => {
    const shift = await probeShift(database, run.runId, { a: 0, b: 2 });
    expect(shift).toMatchObject({ runName: 'a run', steps: [0, 2], a: 0, b: 2 });
    const [task, lone] = shift.tasks;
    expect(task).toMatchObject({ taskId: 'Open:3', firstDivergence: 2 });
    expect(task?.a.greedy).toMatchObject({ successes: 0, turns: 3, grounded: 1, invalid: 2, looping: 1 });
    expect(task?.b.greedy).toMatchObject({ successes: 1, turns: 2, grounded: 2, invalid: 0, looping: 0 });
    expect(task?.a.samples).toMatchObject({ trajectories: 3, turns: 5 });
    expect(task?.b.samples).toBeNull();
    expect(lone).toMatchObject({
      taskId: 'Open:9',
      a: { greedy: null, samples: null },
      firstDivergence: null,
    });
  });

  it('is not found at a step that was not probed, naming those that were', async () => {
    await expect(probeShift(database, run.runId, { a: 0, b: 7 })).rejects.toMatchObject({
      code: 'not_found',
      issues: [{ path: 'b', message: 'expected one of the probed steps: 0, 2' }],
    });
  });
});

describe('the newest attempt', () => {
  it('is what a pair shows where several probed a step', async () => {
    await launchSample(database);
    const first = await claimSample(database, 'worker-b');
    await first.say(probe(2, 0, 'greedy', 'left@1'), probe(2, 0, 'sampled', 'left@1'));
    await database.pool.query(`UPDATE "Run" SET "lastBeatAt" = now() - interval '1 hour' WHERE "id" = $1`, [
      first.runId,
    ]);
    await sweepLeases(database, TEST_LEASE);
    await sweepLeases(database, TEST_LEASE);
    const second = await claimSample(database, 'worker-b');
    await second.say(probe(2, 0, 'greedy', 'go@1'));
    const pair = await requirePair(database, first.runId, { taskId: 'Open:3', a: 2, b: 2 });
    expect(pair.b.played?.trajectory.turns.map((turn) => turn.action)).toEqual(['go']);
    expect(pair.b.samples).toEqual([]);
    const shift = await probeShift(database, first.runId, { a: 2, b: 2 });
    expect(shift.tasks[0]?.a.samples).toBeNull();
  });
});
