import type { CheckpointLocation } from '@/contract/checkpoint';
import { AppError } from '@/contract/errors';
import type { RunEvent } from '@/contract/run-events';
import type { Database } from '../database';
import { requestStop } from '../runs/commands';
import { listRuns } from '../runs/list';
import { setConnected } from '@/server/workers/registry';
import { evaluationEvents, stepPoints } from './curves';
import { householdTrajectory } from './household';
import { SEED_MARK, SEED_WORKER, Storyteller } from './storyteller';
import { seedTrajectory } from './trajectories';

const STEPS = 120;
const EVALUATE_EVERY = 10;
const PROBE_TASKS = 4;
const PROBE_SAMPLES = 8;

/** A seeded run, for the list that is printed. */
export interface SeededRun {
  runId: string;
  shows: string;
}

/** Writes one run for each thing a screen must be able to show. Runs of an earlier call stay, but none queued. */
export async function seedRuns(database: Database, startMs: number): Promise<SeededRun[]> {
  await clearQueue(database);
  const seeded: SeededRun[] = [];
  try {
    for (const [index, [name, tell]] of STORIES.entries()) {
      const run = index + 1;
      const story = await Storyteller.launch(database, name, run, startMs);
      await tell(story, run, database);
      seeded.push({ runId: story.runId, shows: name });
    }
  } finally {
    // It has no process: a server that runs meanwhile must not count it among its workers.
    await setConnected(database, SEED_WORKER.workerId, false);
  }
  return seeded;
}

/** Stories claim what is queued: an earlier call's run is stopped, anybody else's is not ours to claim. */
async function clearQueue(database: Database): Promise<void> {
  const queued = (await listRuns(database)).filter((run) => run.status === 'queued');
  const foreign = queued.find((run) => !run.name.endsWith(SEED_MARK));
  if (foreign)
    throw new AppError(
      'conflict',
      `run ${foreign.id} is queued: stop it, or seed a database without queued runs`,
    );
  for (const run of queued) await requestStop(database, run.id);
}

type Tell = (story: Storyteller, run: number, database: Database) => Promise<void>;

/** The queued one comes last: each story claims the one queued run there is. */
const STORIES: readonly (readonly [string, Tell])[] = [
  ['finished, 120 steps', tellFinished],
  ['failed', tellFailed],
  ['stopped', tellStopped],
  ['resumed, NaN, overwritten points', tellResumed],
  ['odd characters', tellOddText],
  ['household, strategy and memory, series of its own', tellHousehold],
  ['starting', (story) => story.claim()],
  ['running', (story, run) => tellSteps(story, run, 1, 40)],
  ['paused', tellPaused],
  ['stopping', tellStopping],
  ['lost', tellLost],
  ['queued', () => Promise.resolve()],
];

async function tellFinished(story: Storyteller, run: number): Promise<void> {
  await tellSteps(story, run, 1, STEPS);
  await story.say([
    ...evaluationEvents(run, STEPS, 'valid_unseen', 'sampled'),
    ...evaluationEvents(run, STEPS, 'valid_unseen', 'greedy'),
    status('finished', null),
  ]);
}

async function tellFailed(story: Storyteller, run: number): Promise<void> {
  await tellSteps(story, run, 1, 7);
  await story.say([
    { kind: 'log:written', level: 'error', message: 'Seed data: engine child 2 ended with SIGKILL' },
    status('failed', 'training, step 8: engine child 2 ended with SIGKILL'),
  ]);
}

async function tellStopped(story: Storyteller, run: number, database: Database): Promise<void> {
  await tellSteps(story, run, 1, 15);
  await requestStop(database, story.runId);
  await story.say([status('stopped', null)]);
}

async function tellResumed(story: Storyteller, run: number): Promise<void> {
  await tellSteps(story, run, 1, 28);
  await story.say([notANumber(28), notANumber(27)]);
  await story.loseWorker(true);
  await tellSteps(story, run + 100, 21, 40);
  await story.say([status('finished', null)]);
}

async function tellOddText(story: Storyteller): Promise<void> {
  const odd =
    '\0 NUL, \ud800 half a pair, \u001b[31mANSI\u001b[0m, \u202eright to left\u202c, <b>HTML</b>, 👩‍🚀';
  const plain = seedTrajectory({ ...TRAINED, run: 1, step: 1, task: 0, group: 0, sample: 0 });
  await story.claim();
  await story.say([status('running', null), { kind: 'log:written', level: 'warn', message: odd }]);
  if (plain.kind === 'trajectory:finished') {
    const turns = plain.trajectory.turns.map((turn) => ({
      ...turn,
      reply: `${turn.reply} ${odd}`,
      observation: odd,
    }));
    await story.say([{ ...plain, trajectory: { ...plain.trajectory, goal: odd, turns } }]);
  }
  await story.say([status('finished', odd)]);
}

async function tellHousehold(story: Storyteller, run: number): Promise<void> {
  await story.claim();
  await story.say([status('running', null), householdTrajectory(0)]);
  for (let step = 1; step <= EVALUATE_EVERY; step++)
    await story.say([
      stepPoints(run, step),
      { kind: 'points:measured', step, points: [{ name: 'strategy/distinct_rate', value: 1 / step }] },
      { kind: 'step:finished', step, steps: EVALUATE_EVERY },
    ]);
  await story.say([householdTrajectory(EVALUATE_EVERY), status('finished', null)]);
}

async function tellPaused(story: Storyteller, run: number): Promise<void> {
  await tellSteps(story, run, 1, 12);
  await story.say([status('paused', 'the outbox holds 2 GB: waiting for the server')]);
}

async function tellStopping(story: Storyteller, run: number, database: Database): Promise<void> {
  await tellSteps(story, run, 1, 9);
  await requestStop(database, story.runId);
}

async function tellLost(story: Storyteller, run: number): Promise<void> {
  await tellSteps(story, run, 1, 18);
  await story.loseWorker(false);
}

const TRAINED = { phase: 'train', decoding: 'sampled' } as const;

/** An attempt that runs from one step to another, with evaluations, probes and checkpoints on the way. */
async function tellSteps(story: Storyteller, run: number, first: number, last: number): Promise<void> {
  await story.claim();
  await story.say([status('running', null)]);
  if (first === 1) await story.say(measurements(run, 0));
  for (let step = first; step <= last; step++) {
    const trajectories = Array.from({ length: 8 }, (_, index) =>
      seedTrajectory({
        ...TRAINED,
        run,
        step: step - 1,
        task: step * 2 + (index >> 2),
        group: index >> 2,
        sample: index % 4,
      }),
    );
    const measured = step % EVALUATE_EVERY === 0 ? [...measurements(run, step), ...checkpoint(step)] : [];
    await story.say([
      ...trajectories,
      stepPoints(run, step),
      { kind: 'step:finished', step, steps: STEPS },
      ...measured,
    ]);
  }
}

function measurements(run: number, step: number): RunEvent[] {
  const probe = (task: number, sample: number, decoding: 'greedy' | 'sampled') =>
    seedTrajectory({ run, step, phase: 'probe', task, group: null, sample, decoding });
  const probes = Array.from({ length: PROBE_TASKS }, (_, task) => [
    probe(task, 0, 'greedy'),
    ...Array.from({ length: PROBE_SAMPLES }, (_unused, sample) => probe(task, sample, 'sampled')),
  ]);
  return [
    ...evaluationEvents(run, step, 'valid_seen', 'sampled'),
    ...evaluationEvents(run, step, 'valid_seen', 'greedy'),
    ...probes.flat(),
  ];
}

/** Said to be on the seed worker's disk: its files are not there to download. */
function checkpoint(step: number): RunEvent[] {
  const location: CheckpointLocation = {
    kind: 'worker',
    workerId: SEED_WORKER.workerId,
    path: `seed-data/${step}`,
  };
  const sha256 = step.toString(16).padStart(64, '0');
  const files = [{ path: 'model.safetensors', sha256, size: 1_800_000 }];
  const parentStep = Math.max(0, step - EVALUATE_EVERY);
  return [
    { kind: 'checkpoint:saved', checkpoint: { step, parentStep, files, size: 1_800_000 }, location },
    { kind: 'checkpoint:completed', step, location },
  ];
}

function notANumber(step: number): RunEvent {
  const points = ['actor/grad_norm', 'actor/ppo_kl'].map((name) => ({ name, value: 'NaN' as const }));
  return { kind: 'points:measured', step, points: [...points, { name: 'actor/loss', value: 'Infinity' }] };
}

function status(
  name: 'running' | 'paused' | 'finished' | 'failed' | 'stopped',
  reason: string | null,
): RunEvent {
  return { kind: 'status:changed', status: name, reason, resumedFromStep: null };
}
