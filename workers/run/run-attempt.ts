import type { Engine } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import type { RunStatus } from '@/contract/run';
import { clipMessage, type RecipeEvent, type RunEvent } from '@/contract/run-events';
import type { ClaimedRun, RunAttempt } from '@/contract/socket';
import type { PreparedRun } from '@/rl/recipes/registry';
import { formatBytes } from '@/contract/format';
import type { CheckpointStore } from '../checkpoints/checkpoint-store';
import type { EngineSpec } from '../engines/engine';
import { openEndpoint } from '../endpoints/open-endpoint';
import { openEnvironment } from '../environments/open-environment';
import { restoreCheckpoint } from '../checkpoints/restore';
import type { CheckpointUploader } from '../checkpoints/uploader';
import type { BlobClient } from '../connection/blob-client';
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
  workerId: string;
  /** Aborts when this worker can no longer wait for a server that is away. */
  leaving: AbortSignal;
  /** ms since 1970 */
  now(): number;
}

/** How an attempt ended; null where the run is another attempt's already, so that it says nothing. */
export type Ending = { status: RunStatus; reason: string | null } | null;

/**
 * Trains one attempt from its first event to its status. When this resolves, everything it has to say is in the
 * outbox and its checkpoints are where they stay, unless the worker left first. Throws a `StageError` of `outbox`
 * where the disk takes no more events: the attempt then ends without a word and its lease runs out.
 */
export async function runAttempt(claimed: ClaimedRun, context: AttemptContext): Promise<Ending> {
  const { outgoing, stop, uploader, leaving } = context;
  const training = await failureOf(trainAttempt(claimed, context));
  let ending = training === null ? endingOf(stop) : endingOfFailure(training, stop);
  const uploading = await failureOf(inStage('checkpoint', () => uploader.idle(leaving)));
  if (uploading !== null && ending?.status === 'finished') ending = failed(uploading);
  if (ending?.status === 'failed') {
    const message = clipMessage(describeFailure(training ?? uploading));
    say(outgoing, { kind: 'log:written', level: 'error', message });
  }
  if (ending !== null) say(outgoing, statusChanged(ending.status, ending.reason));
  return ending;
}

/** What `action` threw, or null. A disk that takes no events leaves nothing to be done, so that is thrown on. */
async function failureOf(action: Promise<void>): Promise<Error | null> {
  try {
    await action;
    return null;
  } catch (error) {
    if (error instanceof StageError && error.stage === 'outbox') throw error;
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function trainAttempt(claimed: ClaimedRun, context: AttemptContext): Promise<void> {
  const { outgoing, stop, store } = context;
  const attempt: RunAttempt = { runId: claimed.runId, attempt: claimed.attempt };
  const run = await inStage('config', () => context.prepareRun(claimed.recipe, claimed.config));
  const { engine: settings, seed } = run.config;
  const engine = await inStage('engine', () => context.createEngine({ ...settings, seed }));
  const closeEngine = (): Promise<void> => engine.close();
  stop.insisted.addEventListener('abort', () => void closeEngine().catch(() => undefined), { once: true });
  try {
    if (claimed.resumeFrom) await inStage('checkpoint', () => restore(claimed, engine, context));
    if (stop.asked.aborted) return;
    say(outgoing, statusChanged('running', null));
    const events = run.events({
      engine,
      openEnvironment,
      openEndpoint: (settings) => openEndpoint(settings, stop.asked),
      checkpointDir: (step) => store.dirOf(attempt, step),
      resumeFrom: claimed.resumeFrom ? { step: claimed.resumeFrom.step } : null,
      clock: () => performance.now() / 1000,
      signal: stop.asked,
    });
    await pump(events, attempt, context);
  } finally {
    await closeEngine();
  }
}

/** Takes a recipe's events one by one until it ends, fails, or is cut off. */
async function pump(
  events: AsyncGenerator<RecipeEvent>,
  attempt: RunAttempt,
  context: AttemptContext,
): Promise<void> {
  const { insisted } = context.stop;
  for (;;) {
    const next = await inStage('recipe', () => orAborted(events.next(), insisted));
    if (next === undefined) throw new AppError('unavailable', 'the attempt was cut off');
    if (next.done) return;
    await take(next.value, attempt, context);
    if (next.value.kind !== 'pause:began') await waitForRoom(context);
  }
}

async function take(event: RecipeEvent, attempt: RunAttempt, context: AttemptContext): Promise<void> {
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

async function restore(claimed: ClaimedRun, engine: Engine, context: AttemptContext): Promise<void> {
  if (!claimed.resumeFrom) return;
  const restored = await restoreCheckpoint(claimed.runId, claimed.resumeFrom, context, context.stop.asked);
  await engine.training.loadState(restored.dir);
  await restored.release();
}

/** Another attempt goes on from the last complete checkpoint. */
const HANDED_BACK: Ending = { status: 'queued', reason: 'its worker was shut down' };

/** How an attempt ended whose recipe came to its end, by itself or because it was asked to. */
function endingOf(stop: StopControl): Ending {
  switch (stop.reason) {
    case null:
      return { status: 'finished', reason: null };
    case 'stop':
      return { status: 'stopped', reason: 'stopped on request' };
    case 'shutdown':
      return HANDED_BACK;
    case 'end':
      return null;
  }
}

/** How an attempt ended that threw: a cut-off engine fails too, and is no failure of the run. */
function endingOfFailure(failure: Error, stop: StopControl): Ending {
  if (!stop.insisted.aborted) return failed(failure);
  if (stop.reason !== 'stop') return endingOf(stop);
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
