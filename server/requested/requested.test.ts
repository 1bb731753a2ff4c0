import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActionScores } from '@/contract/action-scores';
import { ForkRequest } from '@/contract/forks';
import { REQUESTED_RECIPE_IDS } from '@/contract/recipes/requested';
import { claimRun } from '../queue/claim';
import { requireRun } from '../runs/queries';
import {
  claimSample,
  launchSample,
  SampleAttempt,
  sampleWorker,
  status,
  TEST_LEASE,
  trajectory,
} from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { readActionScores, requestActionScores } from './action-scores';
import { listForks, requestForks } from './forks';

const TASK = {
  taskId: 'Open:3',
  taskType: 'Open',
  split: 'valid_seen',
  group: null,
  phase: 'probe',
} as const;
const WORKER = sampleWorker('worker-a', { recipes: ['grpo', ...REQUESTED_RECIPE_IDS] });

let database: TestDatabase;
/** A run with checkpoints of steps 5 and 10, and its trajectories of steps 0, 5, 7 and 10. */
let source: SampleAttempt;
let played: Record<number, string>;
beforeAll(async () => {
  database = await openTestDatabase();
  await launchSample(database, { name: 'source' });
  source = await claimSample(database, 'worker-a');
  await source.saveCheckpoint(5, true);
  await source.saveCheckpoint(10, false);
  await source.say(...[0, 5, 7, 10].map((step) => trajectory({ ...TASK, step })), status('finished'));
  const rows = await database.prisma.trajectory.findMany({ where: { runId: source.runId } });
  played = Object.fromEntries(rows.map(({ step, id }) => [step, String(id)]));
});
afterAll(() => database.close());

const idOf = (step: number): string => played[step] ?? '';

async function claim(): Promise<SampleAttempt> {
  const claimed = await claimRun(database, WORKER, TEST_LEASE);
  if (!claimed) throw new Error('no run was queued');
  return new SampleAttempt(database, 'worker-a', claimed.claimed.runId, claimed.claimed.attempt);
}

function scored(trajectoryId: string, step: number, logprob: number): { kind: string; scored: ActionScores } {
  const action = { part: 'action' as const, logprob, tokens: 2 };
  return {
    kind: 'actions:scored',
    scored: {
      trajectoryId,
      checkpoint: { runId: source.runId, step },
      refusal: null,
      turns: [{ turn: 0, action, reply: { logprob: logprob - 1, tokens: 5 } }],
    },
  };
}

describe('scores of recorded actions', () => {
  it('are asked for once a checkpoint, under both, and are read by trajectory', async () => {
    const pair = [idOf(5), idOf(10)];
    const empty = await readActionScores(database, pair);
    expect(empty).toMatchObject({ scores: [], requests: [] });
    expect(empty.sides.map(({ checkpoint, obstacle }) => [checkpoint?.step, obstacle])).toEqual([
      [5, null],
      [10, null],
    ]);
    const launched = await requestActionScores(database, pair);
    expect(launched).toHaveLength(2);
    // What is under way is not asked for again.
    expect(await requestActionScores(database, pair)).toEqual([]);
    const { run, config } = await requireRun(database, launched[0] ?? '');
    expect(run).toMatchObject({ kind: 'evaluation', recipe: 'action-scores', status: 'queued' });
    expect(config).toMatchObject({
      checkpoints: [{ runId: source.runId, step: 5 }],
      trajectories: pair.map((id) => ({ id, scaffold: { id: 'recent-actions' } })),
    });
    const first = await claim();
    await first.say(scored(idOf(5), 5, -1), scored(idOf(10), 5, -3), status('finished'));
    const second = await claim();
    await second.say(scored(idOf(5), 10, -0.25), status('failed', 'no room'));
    const { scores, requests } = await readActionScores(database, pair);
    expect(scores.map(({ trajectoryId, checkpoint }) => [trajectoryId, checkpoint.step])).toEqual([
      [idOf(5), 10],
      [idOf(5), 5],
      [idOf(10), 5],
    ]);
    expect(requests).toEqual([
      { runId: first.runId, checkpoint: { runId: source.runId, step: 5 }, status: 'finished', reason: null },
      {
        runId: second.runId,
        checkpoint: { runId: source.runId, step: 10 },
        status: 'failed',
        reason: 'no room',
      },
    ]);
    // The one that failed may be asked for again.
    expect(await requestActionScores(database, pair)).toHaveLength(1);
    await (await claim()).say(scored(idOf(5), 10, -0.5), scored(idOf(10), 10, -0.1), status('finished'));
    const again = await readActionScores(database, pair);
    expect(again.scores).toHaveLength(4);
    expect(again.scores[0]?.turns[0]?.action?.logprob).toBe(-0.5);
    expect(await requestActionScores(database, pair)).toEqual([]);
  });

  it('say which checkpoint was never saved; the untrained model always was', async () => {
    const { sides } = await readActionScores(database, [idOf(0), idOf(7)]);
    expect(sides).toMatchObject([
      { checkpoint: { step: 0 }, obstacle: null },
      {
        checkpoint: { step: 7 },
        obstacle: `run ${source.runId} has no complete checkpoint of step 7; complete ones are of steps 5, 10`,
      },
    ]);
    await expect(requestActionScores(database, [idOf(7)])).rejects.toMatchObject({ code: 'conflict' });
    await expect(readActionScores(database, ['999999'])).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('forks of a turn', () => {
  it('are one run a checkpoint, in the world of the recorded run, and list what was played', async () => {
    const checkpoints = [5, 10].map((step) => ({ runId: source.runId, step }));
    const request = { trajectory: idOf(10), turn: 1, checkpoints, samples: 2, temperature: 0.5 };
    const [first] = await requestForks(database, request);
    const { run, config } = await requireRun(database, first ?? '');
    expect(run).toMatchObject({ recipe: 'fork-turn', seed: 1, steps: 1 });
    expect(config).toMatchObject({
      trajectory: idOf(10),
      turn: 1,
      samples: 2,
      checkpoints: [{ step: 5 }],
      evaluation: { temperature: 0.5 },
    });
    const worker = await claim();
    await worker.say(
      ...[0, 1].map((sample) =>
        trajectory({ ...TASK, phase: 'fork', step: 5, sample, givenTurns: 1, success: sample === 1 }),
      ),
    );
    const forks = await listForks(database, { trajectory: idOf(10), turn: 1 });
    expect(forks.map(({ checkpoint, trajectories }) => [checkpoint.step, trajectories.length])).toEqual([
      [10, 0],
      [5, 2],
    ]);
    expect(forks[1]).toMatchObject({ runId: worker.runId, samples: 2, temperature: 0.5, turn: 1 });
    expect(await listForks(database, { trajectory: idOf(10), turn: 0 })).toEqual([]);
    // What a fork played can be gone on from in turn: the checkpoint that played it is the one that was asked for.
    const [continued] = forks[1]?.trajectories ?? [];
    const { sides } = await readActionScores(database, [continued?.id ?? '']);
    expect(sides).toMatchObject([{ checkpoint: { runId: source.runId, step: 5 }, obstacle: null }]);
  });

  it('are refused where a checkpoint is named twice', () => {
    const checkpoint = { runId: source.runId, step: 5 };
    const request = { trajectory: idOf(10), turn: 0, checkpoints: [checkpoint, checkpoint] };
    expect(ForkRequest.safeParse(request).error?.issues).toMatchObject([
      { path: ['checkpoints'], message: 'expected each checkpoint once' },
    ]);
    expect(ForkRequest.safeParse({ ...request, checkpoints: [checkpoint] }).success).toBe(true);
  });

  it('are refused at a turn or by a checkpoint that is not there, and nothing is queued', async () => {
    const before = await database.prisma.run.count();
    const fork = (turn: number, step: number) =>
      requestForks(database, {
        trajectory: idOf(10),
        turn,
        checkpoints: [{ runId: source.runId, step }],
        samples: 1,
      });
    await expect(fork(2, 5)).rejects.toThrow(`trajectory ${idOf(10)} has 2 turns, none of index 2`);
    await expect(fork(0, 7)).rejects.toMatchObject({ code: 'conflict' });
    expect(await database.prisma.run.count()).toBe(before);
  });
});
