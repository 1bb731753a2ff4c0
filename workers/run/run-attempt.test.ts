import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { GrpoConfig } from '@/contract/recipes/grpo';
import { RunRules } from '@/contract/recipes/run-rules';
import type { RecipeEvent, StampedEvent } from '@/contract/run-events';
import type { AppendEvents, ClaimedRun } from '@/contract/socket';
import { createRandom } from '@/rl/random';
import type { RecipeContext, RecipeProgram } from '@/rl/recipes/recipe';
import { prepareRun } from '@/rl/recipes/registry';
import { CheckpointStore } from '../checkpoints/checkpoint-store';
import { CheckpointUploader } from '../checkpoints/uploader';
import { Outbox, type OutgoingAttempt } from '../outbox/outbox';
import { runAttempt, type AttemptContext } from './run-attempt';
import { StopControl } from './stop-control';

let root: string;
let stored: StampedEvent[];
let isAway: boolean;
let loadedFrom: string[];
let closed: number;
let outgoing: OutgoingAttempt;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'stepscope-attempt-'));
  stored = [];
  isAway = false;
  loadedFrom = [];
  closed = 0;
});
afterEach(async () => {
  await outgoing.finish(AbortSignal.abort());
  rmSync(root, { recursive: true, force: true });
});

/** Of the engine an attempt itself uses only this much; the recipe under test uses none. */
function fakeEngine(): Engine {
  const training = {
    loadState: (dir: string) => {
      loadedFrom.push(readFileSync(join(dir, 'model.safetensors'), 'utf8'));
      return Promise.resolve();
    },
  };
  const close = async (): Promise<void> => void closed++;
  // The rest of the interface belongs to recipes.
  return { kind: 'onnx', training, close } as unknown as Engine;
}

/** Draws a figure a step from the seed and the step, and writes a checkpoint every second step and when it stops. */
async function* countingRecipe(config: GrpoConfig, context: RecipeContext): AsyncGenerator<RecipeEvent> {
  for (let step = (context.resumeFrom?.step ?? 0) + 1; step <= config.steps; step++) {
    await sleep(1);
    const value = createRandom(config.seed * 1000 + step).next();
    yield { kind: 'points:measured', step, points: [{ name: 'reward/mean', value }] };
    yield { kind: 'step:finished', step, steps: config.steps };
    if (step % 2 === 0 || context.signal.aborted) yield writeCheckpoint(context, step);
    if (context.signal.aborted) return;
  }
}

function writeCheckpoint(context: RecipeContext, step: number): RecipeEvent {
  const dir = context.checkpointDir(step);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'model.safetensors'), `weights ${step}`);
  return { kind: 'checkpoint:written', step, parentStep: context.resumeFrom?.step ?? null, dir };
}

function claimedRun(changes: Partial<ClaimedRun> = {}): ClaimedRun {
  return {
    runId: 'r-0001',
    attempt: 1,
    name: 'counting',
    recipe: 'grpo',
    preset: 'verify',
    config: { ...GRPO_PRESETS.verify, steps: 5 },
    resumeFrom: null,
    heartbeatMs: 100,
    leaseMs: 1000,
    ...changes,
  };
}

function contextOf(
  program: RecipeProgram<GrpoConfig>,
  changes: Partial<AttemptContext> = {},
): AttemptContext {
  const append = (batch: AppendEvents) => {
    if (isAway) return Promise.reject(new AppError('unavailable', 'away'));
    stored.push(...batch.events.filter((event) => event.seq >= stored.length));
    return Promise.resolve({ acknowledgedSeq: stored.length - 1, standing: 'current' as const });
  };
  const sink = { connected: () => Promise.resolve(), append, putBlob: () => Promise.resolve() };
  const outbox = new Outbox(join(root, 'outbox'), {
    sink,
    now: () => 1,
    say: () => undefined,
    maxPendingBytes: 2000,
  });
  outgoing = outbox.open(
    { runId: 'r-0001', attempt: 1 },
    { superseded: () => undefined, undeliverable: () => undefined },
  );
  const store = new CheckpointStore(join(root, 'checkpoints'));
  return {
    outgoing,
    store,
    uploader: new CheckpointUploader(store, { put: () => Promise.resolve() }, 'worker-1'),
    blobs: { fetch: () => Promise.reject(new AppError('not_found', 'no such blob')) },
    stop: new StopControl(10_000),
    prepareRun: (recipe, value) => {
      const { config } = prepareRun(recipe, value);
      return { config, events: (recipeContext) => program(GrpoConfig.parse(value), recipeContext) };
    },
    createEngine: () => Promise.resolve(fakeEngine()),
    trajectories: () => {
      throw new Error('no trajectories are asked for');
    },
    earlierPoints: () => Promise.resolve(new Map()),
    earlierEvaluations: () =>
      Promise.resolve({ finished: new Map(), trajectoriesOf: () => Promise.resolve(new Map()) }),
    trajectory: () => Promise.reject(new Error('no trajectory is asked for')),
    nextCommand: () => Promise.reject(new Error('no command is asked for')),
    workerId: 'worker-1',
    leaving: new AbortController().signal,
    now: () => 1,
    ...changes,
  };
}

async function delivered(): Promise<StampedEvent['event'][]> {
  await outgoing.finish(new AbortController().signal);
  return stored.map(({ event }) => event);
}

function kinds(events: StampedEvent['event'][]): string[] {
  return events.map((event) =>
    event.kind === 'status:changed' ? `${event.kind} ${String(event.status)}` : event.kind,
  );
}

describe('runAttempt', () => {
  it('says running, what the recipe says, whole checkpoints, and finished last', async () => {
    expect(await runAttempt(claimedRun(), contextOf(countingRecipe))).toEqual({
      status: 'finished',
      reason: null,
    });
    const events = await delivered();
    const said = kinds(events);
    expect(said[0]).toBe('status:changed running');
    expect(said[said.length - 1]).toBe('status:changed finished');
    expect(said.filter((kind) => kind === 'step:finished')).toHaveLength(5);
    expect(said.filter((kind) => kind === 'checkpoint:saved')).toHaveLength(2);
    expect(said.filter((kind) => kind === 'checkpoint:completed')).toHaveLength(2);
    expect(events.find(({ kind }) => kind === 'checkpoint:saved')).toMatchObject({
      checkpoint: { step: 2, parentStep: null, files: [{ path: 'model.safetensors', size: 9 }], size: 9 },
      location: { kind: 'worker', workerId: 'worker-1' },
    });
    expect(closed).toBeGreaterThan(0);
  });

  it('restores the checkpoint before the recipe goes on with the next step', async () => {
    const context = contextOf(countingRecipe);
    const dir = context.store.dirOf({ runId: 'r-0001', attempt: 7 }, 3);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'model.safetensors'), 'weights 3');
    const { checkpoint } = await context.store.add(
      { runId: 'r-0001', attempt: 7 },
      { step: 3, parentStep: null, dir },
      1,
    );
    const resumeFrom = { step: 3, files: checkpoint.files, location: { kind: 'blob' } as const };
    await runAttempt(claimedRun({ resumeFrom }), context);
    expect(loadedFrom).toEqual(['weights 3']);
    const steps = (await delivered()).filter(({ kind }) => kind === 'step:finished').map(({ step }) => step);
    expect(steps).toEqual([4, 5]);
  });

  it('goes on from the next older checkpoint where the newest is damaged, and says of which', async () => {
    const context = contextOf(countingRecipe);
    const points = await Promise.all(
      [4, 3].map(async (step) => {
        const dir = context.store.dirOf({ runId: 'r-0001', attempt: 7 }, step);
        mkdirSync(dir, { recursive: true });
        writeFileSync(join(dir, 'model.safetensors'), `weights ${step}`);
        const written = { step, parentStep: null, dir };
        const { checkpoint } = await context.store.add({ runId: 'r-0001', attempt: 7 }, written, 1);
        return { step, files: checkpoint.files, location: { kind: 'blob' } as const };
      }),
    );
    const [resumeFrom = null, ...olderResumePoints] = points;
    writeFileSync(
      join(context.store.dirOf({ runId: 'r-0001', attempt: 7 }, 4), 'model.safetensors'),
      'damaged 4',
    );
    await runAttempt(claimedRun({ resumeFrom, olderResumePoints }), context);
    expect(loadedFrom).toEqual(['weights 3']);
    const events = await delivered();
    expect(events[0]).toMatchObject({
      kind: 'log:written',
      level: 'warn',
      message: expect.stringMatching(
        /^checkpoint of step 4 is whole neither .*; going on from the checkpoint of step 3$/,
      ) as string,
    });
    expect(events[1]).toMatchObject({ status: 'running', resumedFromStep: 3 });
    expect(events.filter(({ kind }) => kind === 'step:finished').map(({ step }) => step)).toEqual([4, 5]);
  });

  it('deletes what it fetched of a checkpoint that the engine does not load', async () => {
    const bytes = Buffer.from('weights 3');
    let fetched = 0;
    const loadState = () => Promise.reject(new AppError('invalid_input', 'it is of another model'));
    const context = contextOf(countingRecipe, {
      createEngine: () => Promise.resolve({ ...fakeEngine(), training: { loadState } } as unknown as Engine),
      blobs: {
        fetch: (_file, path) => {
          fetched++;
          writeFileSync(path, bytes);
          return Promise.resolve();
        },
      },
    });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const files = [{ path: 'model.safetensors', sha256, size: bytes.length }];
    const resumeFrom = { step: 3, files, location: { kind: 'blob' } as const };
    const ending = await runAttempt(claimedRun({ resumeFrom }), context);
    expect(ending).toEqual({ status: 'failed', reason: 'checkpoint: it is of another model' });
    expect(fetched).toBe(1);
    expect(existsSync(context.store.fetchDirOf('r-0001', 3))).toBe(false);
  });

  it.each([
    ['stop', { status: 'stopped', reason: 'by a rule: budget spent' }],
    ['pause', { status: 'paused', reason: 'by a rule: budget spent', awaitsPerson: true }],
  ] as const)('ends as a rule demands once its checkpoint is saved: %s', async (action, ending) => {
    async function* ruled(_: GrpoConfig, context: RecipeContext): AsyncGenerator<RecipeEvent> {
      await sleep(1);
      yield writeCheckpoint(context, 1);
      yield { kind: 'rule:fired', action, reason: 'budget spent' };
    }
    expect(await runAttempt(claimedRun(), contextOf(ruled))).toEqual(ending);
    const events = await delivered();
    expect(kinds(events).slice(-2)).toEqual(['checkpoint:completed', `status:changed ${ending.status}`]);
    expect(events[events.length - 1]).toMatchObject(ending);
  });

  it('is given what its run measured before, where it resumes and has rules to go by', async () => {
    const earlier = new Map([['tokens/trained', [5]]]);
    const seen: (RecipeContext['resumeFrom'] | null)[] = [];
    async function* watching(_: GrpoConfig, { resumeFrom }: RecipeContext): AsyncGenerator<RecipeEvent> {
      await sleep(1);
      seen.push(resumeFrom);
      yield { kind: 'step:finished', step: 5, steps: 5 };
    }
    const context = contextOf(watching, { earlierPoints: () => Promise.resolve(earlier) });
    const dir = context.store.dirOf({ runId: 'r-0001', attempt: 7 }, 3);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'model.safetensors'), 'weights 3');
    const written = { step: 3, parentStep: null, dir };
    const { checkpoint } = await context.store.add({ runId: 'r-0001', attempt: 7 }, written, 1);
    const resumeFrom = { step: 3, files: checkpoint.files, location: { kind: 'blob' } as const };
    const config = { ...GRPO_PRESETS.verify, steps: 5, rules: RunRules.parse({}) };
    await runAttempt(claimedRun({ resumeFrom, config }), context);
    await delivered();
    expect(seen).toEqual([{ step: 3, earlier }]);
  });

  it.each([
    [claimedRun({ recipe: 'dqn' }), 'config: recipe dqn is not one of grpo'],
    [
      claimedRun({ config: { ...GRPO_PRESETS.verify, steps: 0 } }),
      'config: config is not valid: config.steps',
    ],
    [
      claimedRun({
        resumeFrom: {
          step: 3,
          files: [{ path: 'x', sha256: 'a'.repeat(64), size: 1 }],
          location: { kind: 'blob' },
        },
      }),
      "checkpoint: checkpoint of step 3 is whole neither on this worker's disk nor on the server: no such blob",
    ],
  ])('fails with the stage and the reason: %#', async (claimed, reason) => {
    const ending = await runAttempt(claimed, contextOf(countingRecipe));
    expect(ending?.status).toBe('failed');
    expect(ending?.reason).toContain(reason);
  });

  it('fails with what the recipe threw, its stack in the log and its causes after it', async () => {
    async function* breaking(): AsyncGenerator<RecipeEvent> {
      yield { kind: 'step:finished', step: 1, steps: 5 };
      await sleep(1);
      throw new Error('child 0 exited with code 9', { cause: new Error('out of memory') });
    }
    const ending = await runAttempt(claimedRun(), contextOf(breaking));
    expect(ending).toEqual({ status: 'failed', reason: 'recipe: child 0 exited with code 9' });
    const log = (await delivered()).find(({ kind }) => kind === 'log:written');
    expect(log?.message).toMatch(
      /^Error: child 0 exited[\s\S]*run-attempt\.test\.ts[\s\S]*caused by Error: out of memory/,
    );
    expect(closed).toBeGreaterThan(0);
  });

  it('stops at a safe point with a checkpoint when somebody asks', async () => {
    const context = contextOf(countingRecipe);
    const running = runAttempt(claimedRun({ config: { ...GRPO_PRESETS.verify, steps: 100_000 } }), context);
    await sleep(30);
    context.stop.request('stop');
    expect(await running).toEqual({ status: 'stopped', reason: 'stopped on request' });
    const events = await delivered();
    const lastStep = events.filter(({ kind }) => kind === 'step:finished').pop()?.step;
    const lastCheckpoint = events.filter(({ kind }) => kind === 'checkpoint:completed').pop()?.step;
    expect(lastCheckpoint).toBe(lastStep);
  });

  it('takes the engine away from a recipe that does not stop within its grace', async () => {
    async function* deaf(): AsyncGenerator<RecipeEvent> {
      yield { kind: 'step:finished', step: 1, steps: 5 };
      await new Promise(() => undefined);
    }
    const context = contextOf(deaf, { stop: new StopControl(20) });
    const running = runAttempt(claimedRun(), context);
    await sleep(30);
    context.stop.request('stop');
    const ending = await running;
    expect(ending?.status).toBe('stopped');
    expect(ending?.reason).toContain('in the middle of a step');
    expect(closed).toBeGreaterThan(0);
  });

  it('hands the run back when it is shut down, so that another attempt goes on', async () => {
    const context = contextOf(countingRecipe);
    const running = runAttempt(claimedRun({ config: { ...GRPO_PRESETS.verify, steps: 100_000 } }), context);
    await sleep(30);
    context.stop.request('shutdown');
    expect(await running).toEqual({ status: 'queued', reason: 'its worker was shut down' });
    expect(kinds(await delivered()).filter((kind) => kind.startsWith('status'))).toEqual([
      'status:changed running',
      'status:changed queued',
    ]);
  });

  it('says nothing more once the attempt is another worker’s', async () => {
    const context = contextOf(countingRecipe);
    const running = runAttempt(claimedRun({ config: { ...GRPO_PRESETS.verify, steps: 100_000 } }), context);
    await sleep(30);
    context.stop.request('end');
    expect(await running).toBeNull();
    expect(kinds(await delivered()).filter((kind) => kind.startsWith('status'))).toEqual([
      'status:changed running',
    ]);
  });

  it('pauses with a reason while the outbox is full, and goes on when the server is back', async () => {
    isAway = true;
    const running = runAttempt(
      claimedRun({ config: { ...GRPO_PRESETS.verify, steps: 60 } }),
      contextOf(countingRecipe),
    );
    await sleep(300);
    expect(outgoing.pendingBytes).toBeLessThan(4000);
    isAway = false;
    expect((await running)?.status).toBe('finished');
    const events = await delivered();
    const paused = events.findIndex(({ status }) => status === 'paused');
    expect(events[paused]?.reason).toContain("wait on the worker's disk for a server that is away");
    const next = events.slice(paused + 1).find(({ kind }) => kind === 'status:changed');
    expect(next?.status).toBe('running');
    expect(events.filter(({ kind }) => kind === 'step:finished')).toHaveLength(60);
  });

  it('ends without a word where its own disk takes no more events', async () => {
    const context = contextOf(countingRecipe);
    const append = outgoing.append.bind(outgoing);
    outgoing.append = (event) => {
      if (event.kind === 'step:finished' && event.step === 2) throw new AppError('unavailable', 'disk full');
      append(event);
    };
    await expect(runAttempt(claimedRun(), context)).rejects.toThrow('outbox: disk full');
    expect(closed).toBeGreaterThan(0);
  });

  it('gives the same events for the same seed', async () => {
    const figures = async (): Promise<unknown[]> => {
      stored = [];
      await runAttempt(claimedRun(), contextOf(countingRecipe));
      return (await delivered()).filter(({ kind }) => kind === 'points:measured');
    };
    const first = await figures();
    expect(existsSync(join(root, 'outbox', 'r-0001.1'))).toBe(false);
    expect(await figures()).toEqual(first);
    expect(first).toHaveLength(5);
  });
});
