import type { Engine } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import type { RunStatus } from '@/contract/run';
import { clipMessage, type RecipeEvent, type RunEvent } from '@/contract/run-events';
import type { ClaimedRun, RunAttempt } from '@/contract/socket';
import type { PreparedRun } from '@/rl/recipes/registry';
import type { EarlierEvaluations } from '@/rl/recipes/earlier-evaluations';
import type { EarlierPoints, FiredRules } from '@/rl/recipes/rules';
import { formatBytes } from '@/contract/format';
import type { CheckpointStore } from '../checkpoints/checkpoint-store';
import type { EngineSpec } from '../engines/engine';
import { openEmbedder } from '../embeddings/open-embedder';
import { openEndpoint } from '../endpoints/open-endpoint';
import type { Teacher } from '@/contract/teacher';
import type { Trajectory } from '@/contract/trajectory';
import type { TrajectoryFilter } from '@/contract/trajectory-filter';
import { shelve } from '../trajectories/trajectory-shelf';
import { openTeacher } from '../teachers/open-teacher';
import { openEnvironment } from '../environments/open-environment';
import { openNamedCheckpoint } from '../checkpoints/named-checkpoint';
import { restoreCheckpoint } from '../checkpoints/restore';
import type { CheckpointUploader } from '../checkpoints/uploader';
import type { BlobClient } from '../connection/blob-client';
import type { CommandFeed } from '../connection/command-feed';
import type { OutgoingAttempt } from '../outbox/outbox';
import { orAborted } from '../retry';
import { describeFailure, inStage, StageError } from './stages';
import type { StopControl } from './stop-control';

/** What an attempt works with. */
export interface AttemptContext {
  outgoing: OutgoingAttempt;
  store: CheckpointStore;
  uploader: CheckpointUploader;
  blobs: Pick<BlobClient, 'fetch'>;
  stop: StopControl;
  prepareRun(recipe: string, config: unknown): PreparedRun;
  createEngine(spec: EngineSpec): Promise<Engine>;
  /** Recorded trajectories, from the server. */
  trajectories(filter: TrajectoryFilter, signal: AbortSignal): AsyncIterable<Trajectory>;
  /** A recorded trajectory by its id, from the server. */
  trajectory(id: string, signal: AbortSignal): Promise<Trajectory>;
  /** What a person tells the run, where it is played by hand. */
  nextCommand: CommandFeed['next'];
  workerId: string;
  /** What earlier attempts of the run have played of its evaluations; from the server. */
  earlierEvaluations(runId: string, signal: AbortSignal): Promise<EarlierEvaluations>;
  /** What the run measured up to a step, of the series that rules look at; from the server. */
  earlierPoints(runId: string, toStep: number, signal: AbortSignal): Promise<EarlierPoints>;
  /** Aborts when this worker can no longer wait for a server that is away. */
  leaving: AbortSignal;
  /** ms since 1970 */
  now(): number;
}

/** How an attempt ended; null where the run is another attempt's already, so that it says nothing. */
export type Ending = { status: RunStatus; reason: string | null; awaitsPerson?: true } | null;

/**
 * Trains one attempt from its first event to its status. When this resolves, everything it has to say is in the
 * outbox and its checkpoints are where they stay, unless the worker left first. Throws a `StageError` of `outbox`
 * where the disk takes no more events: the attempt then ends without a word and its lease runs out.
 */
export async function runAttempt(claimed: ClaimedRun, context: AttemptContext): Promise<Ending> {
  const { outgoing, stop, uploader, leaving } = context;
  const training = await orFailure(trainAttempt(claimed, context));
  let ending = training instanceof Error ? endingOfFailure(training, stop) : endingOf(stop, training);
  const uploading = await orFailure(inStage('checkpoint', () => uploader.idle(leaving)));
  if (uploading instanceof Error && ending?.status === 'finished') ending = failed(uploading);
  if (ending?.status === 'failed') {
    const message = clipMessage(describeFailure(training instanceof Error ? training : uploading));
    say(outgoing, { kind: 'log:written', level: 'error', message });
  }
  if (ending !== null) {
    const { status, reason, awaitsPerson } = ending;
    say(outgoing, { kind: 'status:changed', status, reason, resumedFromStep: null, awaitsPerson });
  }
  return ending;
}

/** What `action` comes to, or what it threw. A disk that takes no events leaves nothing to be done, so that is thrown on. */
async function orFailure<Value>(action: Promise<Value>): Promise<Value | Error> {
  try {
    return await action;
  } catch (error) {
    if (error instanceof StageError && error.stage === 'outbox') throw error;
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** @returns the rules that ended the recipe; null where it came to its end or was asked to stop */
async function trainAttempt(claimed: ClaimedRun, context: AttemptContext): Promise<FiredRules | null> {
  const { outgoing, stop, store } = context;
  const attempt: RunAttempt = { runId: claimed.runId, attempt: claimed.attempt };
  const run = await inStage('config', () => context.prepareRun(claimed.recipe, claimed.config));
  const { engine: settings, seed } = run.config;
  const engine = await inStage('engine', () => context.createEngine({ ...settings, seed }));
  const teachers: Teacher[] = [];
  const closeEngine = async (): Promise<void> => {
    await Promise.all([engine, ...teachers].map((each) => each.close()));
  };
  stop.insisted.addEventListener('abort', () => void closeEngine().catch(() => undefined), { once: true });
  // What an attempt asked ends with it, also where one of many requests has failed it. Not AbortSignal.any: see withDeadline.
  const asking = new AbortController();
  const endRequests = (): void =>
    asking.abort(stop.asked.reason ?? new AppError('unavailable', 'the attempt has ended'));
  if (stop.asked.aborted) endRequests();
  stop.asked.addEventListener('abort', endRequests, { once: true });
  try {
    const resumedFrom = await inStage('checkpoint', () => restoreNewest(claimed, engine, context));
    if (stop.asked.aborted) return null;
    const isOlder = resumedFrom !== null && resumedFrom !== claimed.resumeFrom?.step;
    say(outgoing, {
      kind: 'status:changed',
      status: 'running',
      reason: null,
      resumedFromStep: isOlder ? resumedFrom : null,
    });
    const earlier =
      resumedFrom !== null && run.config.rules !== null
        ? await inStage('checkpoint', () => context.earlierPoints(claimed.runId, resumedFrom, stop.asked))
        : undefined;
    const events = run.events({
      engine,
      openEnvironment,
      openEndpoint: (settings) => openEndpoint(settings, asking.signal),
      openEmbedder,
      openTeacher: (settings) => {
        const createEngine = (spec: EngineSpec) => context.createEngine(spec);
        const teacher = openTeacher(settings, { student: engine, createEngine, signal: asking.signal });
        teachers.push(teacher);
        return teacher;
      },
      openCheckpoint: (reference) => {
        const parts = { checkpoints: claimed.checkpoints ?? [], engine, store, blobs: context.blobs };
        return inStage('checkpoint', () => openNamedCheckpoint(reference, parts, stop.asked));
      },
      earlierEvaluations: async () =>
        claimed.attempt === 1 ? null : context.earlierEvaluations(claimed.runId, stop.asked),
      trajectory: (id) => context.trajectory(id, stop.asked),
      nextCommand: (after, idleS) => context.nextCommand(attempt, after, idleS, stop.asked),
      trajectories: (filter) => shelve(context.trajectories(filter, stop.asked)),
      checkpointDir: (step) => store.dirOf(attempt, step),
      resumeFrom: resumedFrom === null ? null : { step: resumedFrom, earlier },
      clock: () => performance.now() / 1000,
      signal: stop.asked,
    });
    return await pump(events, attempt, context);
  } finally {
    endRequests();
    stop.asked.removeEventListener('abort', endRequests);
    await closeEngine();
  }
}

/** Takes a recipe's events one by one until it ends, fails, or is cut off; returns the rules that ended it, if any did. */
async function pump(
  events: AsyncGenerator<RecipeEvent>,
  attempt: RunAttempt,
  context: AttemptContext,
): Promise<FiredRules | null> {
  const { insisted } = context.stop;
  let fired: FiredRules | null = null;
  for (;;) {
    const next = await inStage('recipe', () => orAborted(events.next(), insisted));
    if (next === undefined) throw new AppError('unavailable', 'the attempt was cut off');
    if (next.done) return fired;
    if (next.value.kind === 'rule:fired') fired = next.value;
    else await take(next.value, attempt, context);
    if (next.value.kind !== 'pause:began') await waitForRoom(context);
  }
}

async function take(
  event: Exclude<RecipeEvent, { kind: 'rule:fired' }>,
  attempt: RunAttempt,
  context: AttemptContext,
): Promise<void> {
  const { outgoing, stop } = context;
  switch (event.kind) {
    case 'checkpoint:written':
      return takeCheckpoint(event, attempt, context);
    case 'pause:began':
      return say(outgoing, statusChanged('paused', clipMessage(event.reason)));
    case 'pause:ended':
      if (!stop.asked.aborted) say(outgoing, statusChanged('running', null));
      return;
    default:
      say(outgoing, event);
  }
}

async function takeCheckpoint(
  written: Extract<RecipeEvent, { kind: 'checkpoint:written' }>,
  attempt: RunAttempt,
  { outgoing, store, uploader, workerId, now }: AttemptContext,
): Promise<void> {
  const local = await inStage('checkpoint', () => store.add(attempt, written, now()));
  say(outgoing, {
    kind: 'checkpoint:saved',
    checkpoint: local.checkpoint,
    location: { kind: 'worker', workerId, path: local.dir },
  });
  uploader.enqueue(local, (completed) => say(outgoing, completed));
}

async function waitForRoom({ outgoing, stop }: AttemptContext): Promise<void> {
  if (!outgoing.isFull) return;
  const waiting = `${formatBytes(outgoing.pendingBytes)} wait on the worker's disk for a server that is away`;
  say(outgoing, statusChanged('paused', waiting));
  await outgoing.room(stop.asked);
  if (!stop.asked.aborted) say(outgoing, statusChanged('running', null));
}

/**
 * Loads the newest checkpoint that is whole, and says of newer ones that they are not; null where the run has none. Throws
 * where none of them is whole.
 */
async function restoreNewest(
  { runId, resumeFrom, olderResumePoints = [] }: ClaimedRun,
  engine: Engine,
  context: AttemptContext,
): Promise<number | null> {
  if (resumeFrom === null) return null;
  const points = [resumeFrom, ...olderResumePoints];
  for (const [index, point] of points.entries()) {
    const older = points[index + 1];
    try {
      const restored = await restoreCheckpoint(runId, point, context, context.stop.asked);
      try {
        await engine.training.loadState(restored.dir);
      } finally {
        await restored.release();
      }
      return point.step;
    } catch (error) {
      if (older === undefined || !isDamage(error)) throw error;
      const message = clipMessage(`${error.message}; going on from the checkpoint of step ${older.step}`);
      say(context.outgoing, { kind: 'log:written', level: 'warn', message });
    }
  }
  return null;
}

/** Whether a checkpoint's files are gone or are not what was saved, so that an older one may serve. */
function isDamage(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'not_found' || error.code === 'invalid_input');
}

/** Another attempt goes on from the last complete checkpoint. */
const HANDED_BACK: Ending = { status: 'queued', reason: 'its worker was shut down' };

/** How an attempt ended whose recipe came to its end, by itself, by its rules or because it was asked to. */
function endingOf(stop: StopControl, fired: FiredRules | null): Ending {
  switch (stop.reason) {
    case null:
      return fired === null ? { status: 'finished', reason: null } : endingByRule(fired);
    case 'stop':
      return { status: 'stopped', reason: 'stopped on request' };
    case 'shutdown':
      return HANDED_BACK;
    case 'end':
      return null;
  }
}

function endingByRule({ action, reason }: FiredRules): Ending {
  return action === 'stop'
    ? { status: 'stopped', reason: clipMessage(`by a rule: ${reason}`) }
    : { status: 'paused', reason: clipMessage(`by a rule: ${reason}`), awaitsPerson: true };
}

/** How an attempt ended that threw: a cut-off engine fails too, and is no failure of the run. */
function endingOfFailure(failure: Error, stop: StopControl): Ending {
  if (!stop.insisted.aborted) return failed(failure);
  if (stop.reason !== 'stop') return endingOf(stop, null);
  const lost = 'what followed the last checkpoint is lost';
  return { status: 'stopped', reason: `stopped on request, in the middle of a step: ${lost}` };
}

function failed(failure: Error): Ending {
  return { status: 'failed', reason: clipMessage(failure.message) };
}

function say(outgoing: OutgoingAttempt, event: RunEvent): void {
  try {
    outgoing.append(event);
  } catch (error) {
    throw new StageError('outbox', error);
  }
}

function statusChanged(status: RunStatus, reason: string | null): RunEvent {
  return { kind: 'status:changed', status, reason, resumedFromStep: null };
}
