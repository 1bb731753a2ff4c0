import type pg from 'pg';
import type { RunEvent, StampedEvent } from '@/contract/run-events';
import { SCHEMA_VERSION } from '@/contract/version';
import { inTransaction, type Database } from '../database';
import { appendEvents } from '../ingest/append-events';
import { insertRun, type NewRun } from '../runs/insert-run';
import { recordEvents } from '../runs/locked-run';

/** Who says what is imported; no worker has this id. */
const READER = 'import';

/** Events and points of one transaction. */
const BATCH_EVENTS = 500;
const BATCH_POINTS = 20_000;

/** A run that was over before the server heard of it. */
export interface RecordedLaunch extends Omit<NewRun, 'steps'> {
  /** ms since 1970, by the clock of its record. */
  startedAt: number;
}

/**
 * Stores a run from its record, by the same ingest as a worker's: one attempt, claimed in the transaction that writes the row,
 * so that no worker can take it.
 */
export class RecordedRun {
  private seq = 0;
  private lastStep = 0;
  private waiting: { at: number; event: RunEvent }[] = [];
  private waitingPoints = 0;
  /** The batch that is being stored, while the next one is read. */
  private storing: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly database: Database,
    readonly runId: string,
  ) {}

  /** @param within what else is stored with the run's row, or not at all */
  static async open(
    database: Database,
    launch: RecordedLaunch,
    within: (client: pg.PoolClient, runId: string) => Promise<void> = () => Promise.resolve(),
  ): Promise<RecordedRun> {
    const runId = await inTransaction(database, async (client) => {
      const { startedAt, name, ...run } = launch;
      const { runId: id, view } = await insertRun(client, { ...run, name: name.slice(0, 100), steps: null });
      await client.query(`INSERT INTO "Attempt" ("runId", "attempt", "workerId") VALUES ($1, 1, $2)`, [
        id,
        READER,
      ]);
      const event = {
        kind: 'status:changed',
        status: 'starting',
        reason: null,
        resumedFromStep: null,
      } as const;
      const starting = { attempt: 1, seq: null, at: startedAt, v: SCHEMA_VERSION, event };
      await recordEvents(client, { id, attempt: 1, workerId: null, view }, [starting]);
      await within(client, id);
      return id;
    });
    return new RecordedRun(database, runId);
  }

  /** @param at ms since 1970 */
  async say(at: number, event: RunEvent): Promise<void> {
    this.waiting.push({ at, event });
    if (event.kind === 'points:measured') this.waitingPoints += event.points.length;
    this.lastStep = Math.max(this.lastStep, stepOf(event));
    if (this.waiting.length >= BATCH_EVENTS || this.waitingPoints >= BATCH_POINTS) await this.flush();
  }

  async begin(at: number): Promise<void> {
    await this.say(at, { kind: 'status:changed', status: 'running', reason: null, resumedFromStep: null });
  }

  /** Ends the run at the last step it spoke of. */
  async finish(at: number): Promise<void> {
    const { lastStep } = this;
    if (lastStep > 0) await this.say(at, { kind: 'step:finished', step: lastStep, steps: lastStep });
    await this.say(at, { kind: 'status:changed', status: 'finished', reason: null, resumedFromStep: null });
    await this.flush();
    await this.storing;
  }

  /** Takes away what was stored. */
  async discard(): Promise<void> {
    await this.storing.catch(() => undefined);
    await discardRun(this.database, this.runId);
  }

  /** Hands the waiting events on to be stored, once those before them are. */
  private async flush(): Promise<void> {
    const { runId } = this;
    const events = this.waiting.map(({ at, event }): StampedEvent => ({
      v: SCHEMA_VERSION,
      runId,
      attempt: 1,
      seq: this.seq++,
      at,
      event,
    }));
    this.waiting = [];
    this.waitingPoints = 0;
    await this.storing;
    this.storing = appendEvents(this.database, READER, { runId, attempt: 1, events });
    // Thrown by whoever waits for it next.
    this.storing.catch(() => undefined);
  }
}

function stepOf(event: RunEvent): number {
  switch (event.kind) {
    case 'points:measured':
    case 'step:finished':
      return event.step;
    case 'trajectory:finished':
      return event.trajectory.step;
    case 'evaluation:finished':
      return event.evaluation.step;
    case 'capability:measured':
      return event.result.step;
    default:
      return 0;
  }
}

/** Takes away a run that was stored in part. Points have no foreign key to go by. */
export async function discardRun(database: Database, runId: string): Promise<void> {
  await inTransaction(database, async (client) => {
    await client.query(
      `DELETE FROM "Point" WHERE "seriesId" IN (SELECT "id" FROM "Series" WHERE "runId" = $1)`,
      [runId],
    );
    await client.query(`DELETE FROM "Run" WHERE "id" = $1`, [runId]);
  });
}
