import type pg from 'pg';
import { AppError } from '@/contract/errors';
import { canChangeStatus, isFinalStatus, type RunStatus } from '@/contract/run';
import { clipMessage, type PublishedEvent, type PublishedPayload } from '@/contract/run-events';
import type { AppendEvents, AppendedEvents } from '@/contract/socket';
import { inTransaction, type Database } from '../database';
import { lockRun, recordEvents, type LockedRun, type SaidEvent } from '../runs/locked-run';
import { insertActionScores } from './insert-action-scores';
import { insertPoints } from './insert-points';
import { insertCapabilities, insertEvaluations, storeCheckpoints } from './insert-results';
import { insertTrajectories } from './insert-trajectories';
import { updateListFigures } from './list-figures';
import { parseEvent, type ParsedEvent } from './parse-events';
import { eventsOf } from './parsed-batch';

/** A batch as it is stored: what came in blobs is among its events. */
export type EventBatch = Omit<AppendEvents, 'blobs'>;

/**
 * Stores a worker's batch in one transaction, or nothing of it. Events stored before are passed over, so a batch
 * may be sent again. Data of an old attempt is stored; its statuses are not applied and become a line of the log.
 * Throws `not_found` (run), `forbidden` (an attempt that is not this worker's), `conflict` (a gap in seq, a
 * checkpoint that was never saved) and `invalid_input` (an event of a known kind that does not parse).
 */
export async function appendEvents(
  database: Database,
  workerId: string,
  batch: EventBatch,
): Promise<{ answer: AppendedEvents; published: PublishedEvent[] }> {
  const { runId, attempt } = batch;
  checkStamps(batch);
  return inTransaction(database, async (client) => {
    const run = await lockRun(client, runId);
    const acknowledged = await acknowledgedSeq(client, workerId, batch);
    const fresh = batch.events.filter((event) => event.seq > acknowledged);
    const first = fresh[0];
    if (first && first.seq !== acknowledged + 1)
      throw new AppError(
        'conflict',
        `run ${runId}, attempt ${attempt}: expected seq ${acknowledged + 1}, got ${first.seq}`,
        [{ path: 'events.0.seq', message: `expected ${acknowledged + 1}` }],
      );
    const events = fresh.map(parseEvent);
    const published = await store(client, run, attempt, events);
    const newest = fresh[fresh.length - 1]?.seq ?? acknowledged;
    await client.query(`UPDATE "Attempt" SET "acknowledgedSeq" = $3 WHERE "runId" = $1 AND "attempt" = $2`, [
      runId,
      attempt,
      newest,
    ]);
    return { answer: { acknowledgedSeq: newest, standing: standing(run, attempt, workerId) }, published };
  });
}

/** Throws where an event is of another run or attempt than its batch, or does not follow the one before it. */
function checkStamps({ runId, attempt, events }: EventBatch): void {
  events.forEach((event, index) => {
    const stray = event.runId !== runId ? 'runId' : event.attempt !== attempt ? 'attempt' : null;
    if (stray)
      throw new AppError('invalid_input', `event seq ${event.seq} has another ${stray} than its batch`, [
        { path: `events.${index}.${stray}`, message: `expected ${stray === 'runId' ? runId : attempt}` },
      ]);
    const before = events[index - 1];
    if (before && event.seq !== before.seq + 1)
      throw new AppError('conflict', `expected seq ${before.seq + 1} after ${before.seq}, got ${event.seq}`, [
        { path: `events.${index}.seq`, message: `expected ${before.seq + 1}` },
      ]);
  });
}

async function acknowledgedSeq(
  client: pg.PoolClient,
  workerId: string,
  { runId, attempt }: EventBatch,
): Promise<number> {
  const { rows } = await client.query<{ workerId: string; acknowledgedSeq: number }>(
    `SELECT "workerId", "acknowledgedSeq" FROM "Attempt" WHERE "runId" = $1 AND "attempt" = $2`,
    [runId, attempt],
  );
  const row = rows[0];
  if (!row || row.workerId !== workerId)
    throw new AppError(
      'forbidden',
      `attempt ${attempt} of run ${runId} was not claimed by worker ${workerId}`,
      [{ path: 'attempt', message: 'expected an attempt this worker claimed' }],
    );
  return row.acknowledgedSeq;
}

async function store(
  client: pg.PoolClient,
  run: LockedRun,
  attempt: number,
  events: readonly ParsedEvent[],
): Promise<PublishedEvent[]> {
  await insertPoints(client, run.id, attempt, eventsOf(events, 'points:measured'));
  const ids = await insertTrajectories(client, run.id, attempt, eventsOf(events, 'trajectory:finished'));
  await insertEvaluations(client, run.id, attempt, events);
  await insertCapabilities(client, run.id, attempt, events);
  await storeCheckpoints(client, run.id, attempt, events);
  await insertActionScores(client, run.id, attempt, eventsOf(events, 'actions:scored'));
  await updateListFigures(client, run.id, events);
  let status = run.view.status;
  const said: SaidEvent[] = events.map((parsed) => {
    const event = publishedPayload(parsed, ids, (to) => canApply(run, attempt, status, to));
    if (event.kind === 'status:changed') status = event.status;
    // Handed back, or left to a person: it is nobody's until it is claimed again.
    if (event.kind === 'status:changed' && (event.status === 'queued' || event.awaitsPerson))
      run.workerId = null;
    return { attempt, seq: parsed.seq, at: parsed.at, v: parsed.v, event };
  });
  return recordEvents(client, run, said);
}

function publishedPayload(
  parsed: ParsedEvent,
  trajectoryIds: ReadonlyMap<number, string>,
  mayApply: (status: RunStatus) => boolean,
): PublishedPayload {
  // A kind of a newer version passes as it came: readers know the kinds they know and leave the others.
  if (!parsed.known) return parsed.event as PublishedPayload;
  const { event } = parsed;
  switch (event.kind) {
    case 'trajectory:finished': {
      const id = trajectoryIds.get(parsed.seq);
      if (id === undefined)
        throw new AppError('internal', `the trajectory of seq ${parsed.seq} was not stored`);
      const {
        turns: _turns,
        strategy: _strategy,
        finalPicture: _picture,
        finalObservation: _observation,
        ...summary
      } = event.trajectory;
      return { kind: event.kind, trajectory: { ...summary, id } };
    }
    case 'status:changed':
      return mayApply(event.status) ? event : notApplied(event.status, event.reason);
    default:
      return event;
  }
}

/**
 * Whether a worker's status takes effect: only its run's newest attempt may speak, and only along the table of
 * changes. A run that is lost or queued again is taken back by a heartbeat, so all it accepts here is its end:
 * what an outbox still held when its worker died must not bring the run back to life.
 */
function canApply(run: LockedRun, attempt: number, from: RunStatus, to: RunStatus): boolean {
  if (attempt !== run.attempt || !canChangeStatus(from, to)) return false;
  return (from !== 'lost' && from !== 'queued') || isFinalStatus(to);
}

function notApplied(status: RunStatus, reason: string | null): PublishedPayload {
  const message = `Not applied, since the run was no longer its own: the worker reported ${status}${reason ? `, ${reason}` : ''}`;
  return { kind: 'log:written', level: 'warn', message: clipMessage(message) };
}

/** A run that was taken away has no worker, unless its worker itself let go of it or may still take it back from the queue. */
function standing(run: LockedRun, attempt: number, workerId: string): AppendedEvents['standing'] {
  const held = run.workerId === workerId || run.view.status === 'queued' || run.view.awaitsPerson === true;
  return attempt === run.attempt && held ? 'current' : 'superseded';
}
