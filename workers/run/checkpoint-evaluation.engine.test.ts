import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { evaluationKey, type EvaluationResult } from '@/contract/evaluation';
import { CheckpointEvaluationConfig, evaluationUnits } from '@/contract/recipes/checkpoint-evaluation';
import type { GrpoConfig } from '@/contract/recipes/grpo';
import { evaluationConfigOf } from '@/contract/requested-evaluation';
import type { RecipeEvent } from '@/contract/run-events';
import type { NamedCheckpoint } from '@/contract/socket';
import type { Trajectory } from '@/contract/trajectory';
import { evaluateCheckpoints } from '@/rl/recipes/checkpoint-evaluation';
import type { EarlierEvaluations } from '@/rl/recipes/earlier-evaluations';
import { trainGrpo } from '@/rl/recipes/grpo';
import { CheckpointStore } from '../checkpoints/checkpoint-store';
import { openNamedCheckpoint } from '../checkpoints/named-checkpoint';
import { createEngine } from '../engines/engine';
import { tinyConfig, writeTinyBase } from '../testing/tiny-training';
import { localContext } from './local-context';

const SOURCE = 'r-0001';
const NO_BLOBS = { fetch: () => Promise.reject(new Error('everything is on this disk')) };

let dir: string;
let store: CheckpointStore;
let trained: GrpoConfig;
let config: CheckpointEvaluationConfig;
const checkpoints: NamedCheckpoint[] = [{ runId: SOURCE, step: 0, point: null }];

/** A run of four steps whose checkpoints of steps 2 and 4 are in the store, as its worker keeps them. */
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'stepscope-evaluation-'));
  store = new CheckpointStore(join(dir, 'checkpoints'));
  await writeTinyBase(join(dir, 'base'));
  trained = tinyConfig(join(dir, 'base'), { steps: 4, checkpoint: { everySteps: 2 } });
  const attempt = { runId: SOURCE, attempt: 1 };
  const engine = await createEngine(trained.engine);
  const context = localContext(engine, (step) => store.dirOf(attempt, step));
  for await (const event of trainGrpo(trained, context))
    if (event.kind === 'checkpoint:written') {
      const { checkpoint, dir: path } = await store.add(attempt, event, event.step);
      const { step, files } = checkpoint;
      checkpoints.push({ runId: SOURCE, step, point: { step, files, location: { kind: 'worker', path } } });
    }
  await engine.close();
  const parsed = CheckpointEvaluationConfig.parse(
    evaluationConfigOf(
      { ...trained, engine: { ...trained.engine, model: 'base' } },
      checkpoints.map(({ runId, step }) => ({ runId, step })),
      {
        splits: [
          { split: 'valid_seen', tasks: 4 },
          { split: 'valid_unseen', tasks: 2 },
        ],
        decodings: ['greedy', 'sampled'],
        seeds: [1, 2],
        tasksAtOnce: 2,
      },
    ),
  );
  // A config names a folder below the repository; the tiny base is in one of this test's own.
  config = { ...parsed, engine: trained.engine };
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** One attempt on an engine of its own; stopped once it has told `stopAfter` trajectories. */
async function evaluate({
  earlier = null,
  stopAfter = Infinity,
}: {
  earlier?: EarlierEvaluations | null;
  stopAfter?: number;
} = {}): Promise<RecipeEvent[]> {
  const engine = await createEngine(config.engine);
  const stop = new AbortController();
  const parts = { checkpoints, engine, store, blobs: NO_BLOBS };
  const context = {
    ...localContext(engine, () => dir, stop.signal),
    openCheckpoint: (reference: NamedCheckpoint) => openNamedCheckpoint(reference, parts, stop.signal),
    earlierEvaluations: () => Promise.resolve(earlier),
  };
  const events: RecipeEvent[] = [];
  try {
    for await (const event of evaluateCheckpoints(config, context)) {
      events.push(event);
      if (trajectoriesOf(events).length === stopAfter) stop.abort();
    }
  } finally {
    await engine.close();
  }
  return events;
}

function trajectoriesOf(events: readonly RecipeEvent[]): Trajectory[] {
  return events.flatMap((event) => (event.kind === 'trajectory:finished' ? [event.trajectory] : []));
}

function resultsOf(events: readonly RecipeEvent[]): EvaluationResult[] {
  return events.flatMap((event) =>
    event.kind === 'evaluation:finished' ? [{ ...event.evaluation, seconds: null }] : [],
  );
}

/** As the server has it of an attempt's events. */
function storedFrom(events: readonly RecipeEvent[]): EarlierEvaluations {
  return {
    finished: new Map(resultsOf(events).map((result) => [evaluationKey(result), result])),
    trajectoriesOf: (key) =>
      Promise.resolve(
        new Map(
          trajectoriesOf(events)
            .filter(({ evaluation }) => evaluation === key)
            .map(({ reward, success, ...counted }) => [
              counted.taskId,
              { ...counted, reward: reward ?? NaN, success: success === true },
            ]),
        ),
      ),
  };
}

/** What was played. What an engine reused of earlier prompts, and with it the last digits of a log-probability, depends on what it played before. */
function playedIn(...attempts: readonly RecipeEvent[][]) {
  return attempts.flatMap(trajectoriesOf).map(({ evaluation, taskId, stopReason, seed, turns }) => ({
    evaluation,
    taskId,
    stopReason,
    seed,
    turns: turns.map(({ observation, reply, action, tokens }) => [observation, reply, action, tokens?.ids]),
  }));
}

it('evaluates each checkpoint on each split, greedily once and sampled under each seed, with other weights each', async () => {
  const events = await evaluate();
  const results = resultsOf(events);
  expect(results.map(evaluationKey)).toEqual(evaluationUnits(config).map(({ key }) => key));
  expect(results).toHaveLength(3 * 2 * (1 + 2));
  for (const result of results) {
    const own = trajectoriesOf(events).filter(({ evaluation }) => evaluation === evaluationKey(result));
    expect(own).toHaveLength(result.n);
    expect(result.successes).toBe(own.filter(({ success }) => success).length);
    expect(result.truncated).toBe(own.filter(({ stopReason }) => stopReason === 'turn_limit').length);
  }
  const repliesOf = (step: number, seed: number) =>
    trajectoriesOf(events)
      .filter(({ evaluation }) => evaluation === `${SOURCE}/${step}/checkpoint/valid_seen/sampled/${seed}`)
      .map(({ turns }) => turns.map(({ tokens }) => tokens?.logprobs));
  expect(new Set([0, 2, 4].map((step) => JSON.stringify(repliesOf(step, 1)))).size).toBe(3);
  expect(repliesOf(2, 1)).not.toEqual(repliesOf(2, 2));
  expect(events.at(-1)).toEqual({ kind: 'step:finished', step: 1, steps: 1 });
});

it('goes on after a stop without playing again what is stored, to the same results', async () => {
  const whole = await evaluate();
  // In the middle of a checkpoint, of an evaluation and of a batch.
  const first = await evaluate({ stopAfter: 25 });
  const told = first.filter(
    (event) => event.kind !== 'trajectory:finished' || trajectoriesOf([event]).length,
  );
  const second = await evaluate({ earlier: storedFrom(told) });

  expect(resultsOf(first).length).toBeGreaterThan(0);
  expect(first.some(({ kind }) => kind === 'step:finished')).toBe(false);
  expect(playedIn(first, second)).toEqual(playedIn(whole));
  expect([...resultsOf(first), ...resultsOf(second)]).toEqual(resultsOf(whole));
});

it('gives the same trajectories where a batch was stored in part', async () => {
  const whole = await evaluate();
  const cut = whole.slice(0, whole.findIndex(({ kind }) => kind === 'trajectory:finished') + 1);
  const second = await evaluate({ earlier: storedFrom(cut) });
  expect(playedIn(cut, second)).toEqual(playedIn(whole));
  expect(resultsOf(second)).toEqual(resultsOf(whole));
});

it('names the checkpoint that is gone, and plays nothing of it', async () => {
  const [, named] = checkpoints;
  if (!named?.point) throw new Error('expected a saved checkpoint');
  const engine = await createEngine(config.engine);
  const { signal } = new AbortController();
  try {
    const open = (checkpoint: NamedCheckpoint) =>
      openNamedCheckpoint(checkpoint, { checkpoints: [checkpoint], engine, store, blobs: NO_BLOBS }, signal);
    await expect(open({ runId: SOURCE, step: 3, point: null })).rejects.toThrow(
      'checkpoint of step 3 of run r-0001 is gone: the server has no complete one',
    );
    const damaged = named.point.files.map((file) => ({ ...file, sha256: '0'.repeat(64) }));
    await expect(open({ ...named, point: { ...named.point, files: damaged } })).rejects.toThrow(
      /^run r-0001, step 2: checkpoint of step 2 is no longer whole/,
    );
  } finally {
    await engine.close();
  }
});
