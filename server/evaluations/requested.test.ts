import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { evaluationKey, type EvaluationResult } from '@/contract/evaluation';
import type { Trajectory } from '@/contract/trajectory';
import { claimRun } from '../queue/claim';
import { sweepLeases } from '../queue/sweep';
import { continueRun } from '../runs/continue-run';
import { requireRun } from '../runs/queries';
import {
  claimSample,
  evaluation,
  launchSample,
  SampleAttempt,
  sampleCheckpoint,
  sampleWorker,
  status,
  TEST_LEASE,
  trajectory,
} from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { registerWorker, setConnected } from '../workers/registry';
import { requestEvaluation } from './request-evaluation';
import { listRequestedEvaluations, requireEvaluationUnits } from './requested';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.pool.query(`TRUNCATE "Run", "Worker", "Point" CASCADE`));

const evaluating = (workerId: string) => sampleWorker(workerId, { recipes: ['checkpoint-evaluation'] });

/** A run that has ended with complete checkpoints of these steps, on the server or on `trainer`'s disk alone. */
async function trainedRun(steps: readonly number[], uploaded = true): Promise<string> {
  await launchSample(database);
  const training = await claimSample(database, 'trainer');
  await training.say(status('running'));
  for (const step of steps) await training.saveCheckpoint(step, uploaded);
  await training.say(status('finished'));
  return training.runId;
}

async function claimEvaluation(workerId: string) {
  const worker = evaluating(workerId);
  await registerWorker(database, worker);
  return (await claimRun(database, worker, TEST_LEASE))?.claimed ?? null;
}

describe('a request', () => {
  it('queues a run of kind evaluation whose settings are those the source evaluated itself by, but what it says', async () => {
    const source = await trainedRun([5, 10]);
    const { runId } = await requestEvaluation(database, source, {
      steps: [10, 0],
      splits: [{ split: 'valid_unseen', tasks: 3 }],
      seeds: [7, 8],
      temperature: 0.7,
      maxTurns: 6,
    });
    const { run, config } = await requireRun(database, runId);
    expect(run).toMatchObject({ kind: 'evaluation', recipe: 'checkpoint-evaluation', status: 'queued' });
    const { engine, scaffold, evaluation: own } = GRPO_PRESETS.verify;
    expect(config).toMatchObject({
      engine,
      scaffold,
      environment: { ...GRPO_PRESETS.verify.environment, maxTurns: 6 },
      checkpoints: [
        { runId: source, step: 0 },
        { runId: source, step: 10 },
      ],
      seeds: [7, 8],
      evaluation: {
        splits: [{ split: 'valid_unseen', tasks: 3 }],
        decodings: own.decodings,
        temperature: 0.7,
        topP: own.topP,
      },
    });
  });

  it('sweeps every so many-th checkpoint, counted back from the newest', async () => {
    const source = await trainedRun([5, 10, 15, 20]);
    const { runId } = await requestEvaluation(database, source, { everyNth: 3 });
    const { config } = await requireEvaluationUnits(database, runId);
    expect(config.checkpoints.map(({ step }) => step)).toEqual([5, 20]);
  });

  it('is refused where the checkpoint is not there, and says which are', async () => {
    const source = await trainedRun([5, 10]);
    await expect(requestEvaluation(database, source, { steps: [7] })).rejects.toThrow(
      `run ${source} has no complete checkpoint of step 7; it has 0, 5, 10`,
    );
  });

  it('is refused where it names no checkpoint, too many tasks, or a run that trains nothing', async () => {
    const source = await trainedRun([5]);
    await expect(requestEvaluation(database, source, {})).rejects.toThrow(
      'expected the step of a checkpoint',
    );
    await expect(
      requestEvaluation(database, source, {
        steps: [5],
        splits: [{ split: 'valid_seen', tasks: 9_999_999 }],
      }),
    ).rejects.toThrow(/config\.evaluation\.splits\.0\.tasks: valid_seen of babyai has \d+ tasks/);
    const { runId } = await requestEvaluation(database, source, { steps: [5] });
    await expect(requestEvaluation(database, runId, { steps: [0] })).rejects.toThrow(
      `checkpoints of run ${runId} cannot be evaluated: it is of kind evaluation`,
    );
    expect(await listRequestedEvaluations(database, source)).toHaveLength(1);
  });
});

describe('a claim of a requested evaluation', () => {
  it('tells the worker where each checkpoint is; one that no run saved has no place', async () => {
    const source = await trainedRun([5]);
    await requestEvaluation(database, source, { steps: [0, 5] });
    const claimed = await claimEvaluation('evaluator');
    expect(claimed?.checkpoints).toEqual([
      { runId: source, step: 0, point: null },
      {
        runId: source,
        step: 5,
        point: { step: 5, files: sampleCheckpoint(5).files, location: { kind: 'blob' } },
      },
    ]);
  });

  it('takes the newest complete one where several attempts saved the step', async () => {
    const source = await trainedRun([5]);
    const newer = { path: 'model.safetensors', sha256: 'f'.repeat(64), size: 20 };
    await database.pool.query(
      `INSERT INTO "Checkpoint" ("runId", "attempt", "step", "size", "files", "locations", "complete")
       VALUES ($1, 2, 5, 20, $2, '[{"kind":"blob"}]', true), ($1, 3, 5, 30, $2, '[{"kind":"blob"}]', false)`,
      [source, JSON.stringify([newer])],
    );
    await requestEvaluation(database, source, { steps: [5] });
    const claimed = await claimEvaluation('evaluator');
    expect(claimed?.checkpoints?.[0]?.point?.files).toEqual([newer]);
  });

  it('is made only by a worker that has the files; until then it waits and says where they are', async () => {
    const source = await trainedRun([5], false);
    const { runId } = await requestEvaluation(database, source, { steps: [5] });
    expect(await claimEvaluation('evaluator')).toBeNull();
    await setConnected(database, 'evaluator', true);
    await sweepLeases(database, TEST_LEASE);
    expect((await requireRun(database, runId)).run.reason).toBe(
      `Waiting: the checkpoint of step 5 of run ${source} is on worker trainer, which is not connected`,
    );
    const claimed = await claimEvaluation('trainer');
    expect(claimed?.checkpoints?.[0]?.point?.location).toEqual({ kind: 'worker', path: '/checkpoints/5' });
  });

  it('waits where its checkpoints are spread over workers, each of which has some', async () => {
    const source = await trainedRun([5, 10], false);
    await database.pool.query(
      `UPDATE "Checkpoint" SET "locations" = '[{"kind":"worker","workerId":"other","path":"/c"}]' WHERE "step" = 10`,
    );
    const { runId } = await requestEvaluation(database, source, { steps: [5, 10] });
    for (const workerId of ['trainer', 'other']) {
      expect(await claimEvaluation(workerId)).toBeNull();
      await setConnected(database, workerId, true);
    }
    await sweepLeases(database, TEST_LEASE);
    expect((await requireRun(database, runId)).run.reason).toBe(
      `Waiting: no worker has all of its checkpoints (the checkpoint of step 5 of run ${source} on trainer; the checkpoint of step 10 of run ${source} on other)`,
    );
  });
});

describe('the evaluations of a requested run', () => {
  const played = (result: Partial<EvaluationResult>, changes: Partial<Trajectory>) => {
    const identity = {
      step: 5,
      policy: 'checkpoint',
      split: 'valid_seen',
      decoding: 'greedy',
      seed: 1,
    } as const;
    const key = evaluationKey({ checkpoint: null, ...identity, ...result });
    return trajectory({ phase: 'eval', step: 5, evaluation: key, ...changes });
  };

  it('are its results, and what is stored of those that have not ended', async () => {
    const source = await trainedRun([5]);
    const { runId } = await requestEvaluation(database, source, {
      steps: [5],
      splits: [
        { split: 'valid_seen', tasks: 2 },
        { split: 'valid_unseen', tasks: 3 },
      ],
      decodings: ['greedy'],
      seeds: [1],
    });
    await claimEvaluation('evaluator');
    const attempt = new SampleAttempt(database, 'evaluator', runId, 1);
    const checkpoint = { runId: source, step: 5 };
    await attempt.say(
      status('running'),
      played({ checkpoint }, { taskId: 'a', success: true, stopReason: 'success' }),
      played({ checkpoint }, { taskId: 'b', success: false, stopReason: 'turn_limit' }),
      evaluation({ checkpoint, step: 5, decoding: 'greedy', seed: 1, n: 2, successes: 1 }),
      played({ checkpoint, split: 'valid_unseen' }, { taskId: 'c', success: false, stopReason: 'error' }),
    );
    const { units, source: named } = await requireEvaluationUnits(database, runId);
    expect(named).toEqual({ runId: source, name: 'a run' });
    expect(units).toMatchObject([
      { split: 'valid_seen', tasks: 2, played: 2, successes: 1, errors: 0, truncated: 1, result: { n: 2 } },
      { split: 'valid_unseen', tasks: 3, played: 1, successes: 0, errors: 1, truncated: 0, result: null },
    ]);
    expect(await listRequestedEvaluations(database, source)).toMatchObject([
      { runId, steps: [5], seeds: [1], finished: 1, evaluations: 2, played: 3, trajectories: 5 },
    ]);
  });

  it('go on after a stop: the run is continued without a checkpoint of its own', async () => {
    const source = await trainedRun([5]);
    const { runId } = await requestEvaluation(database, source, { steps: [5] });
    await claimEvaluation('evaluator');
    await new SampleAttempt(database, 'evaluator', runId, 1).say(status('running'), status('stopped'));
    await continueRun(database, runId, {});
    expect((await requireRun(database, runId)).run).toMatchObject({
      status: 'queued',
      reason: 'continued with what is stored of it',
    });
    expect(await claimEvaluation('evaluator')).toMatchObject({ runId, attempt: 2, resumeFrom: null });
  });

  it('count a task once that two attempts have played, as the newer one did', async () => {
    const source = await trainedRun([5]);
    const { runId } = await requestEvaluation(database, source, {
      steps: [5],
      splits: [{ split: 'valid_seen', tasks: 2 }],
      decodings: ['greedy'],
      seeds: [1],
    });
    await claimEvaluation('evaluator');
    const checkpoint = { runId: source, step: 5 };
    await new SampleAttempt(database, 'evaluator', runId, 1).say(
      played({ checkpoint }, { taskId: 'a', success: false }),
    );
    await database.pool.query(
      `INSERT INTO "Attempt" ("runId", "attempt", "workerId") VALUES ($1, 2, 'evaluator')`,
      [runId],
    );
    await new SampleAttempt(database, 'evaluator', runId, 2).say(
      played({ checkpoint }, { taskId: 'a', success: true }),
    );
    const { units } = await requireEvaluationUnits(database, runId);
    expect(units[0]).toMatchObject({ played: 1, successes: 1 });
  });
});
