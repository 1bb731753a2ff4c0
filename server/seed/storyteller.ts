import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { parseLaunch } from '@/contract/recipes/registry';
import { isHeldStatus } from '@/contract/run';
import type { RunEvent, StampedEvent } from '@/contract/run-events';
import type { WorkerHandshake } from '@/contract/socket';
import { PROTOCOL_VERSION, SCHEMA_VERSION } from '@/contract/version';
import { registerWorker } from '@/server/workers/registry';
import type { Database } from '../database';
import { appendEvents } from '../ingest/append-events';
import { claimRun } from '../queue/claim';
import { DEFAULT_LEASE } from '../queue/lease';
import { sweepLeases } from '../queue/sweep';
import { launchRun } from '../runs/commands';
import { requireRun } from '../runs/queries';

export const SEED_WORKER: WorkerHandshake = {
  token: '-',
  protocol: PROTOCOL_VERSION,
  workerId: 'seed-data',
  name: 'seed data (no process)',
  // An engine of its own kind, so that no local worker takes a seeded run out of the queue and trains it.
  capabilities: {
    engines: ['tinker'],
    devices: ['cuda'],
    recipes: ['grpo'],
    environments: ['babyai', 'household'],
  },
};

/** Ends the name of every seeded run. */
export const SEED_MARK = '(seed data)';

const BATCH_EVENTS = 500;
const EVENT_MS = 20;

/** Tells an invented run by the doors a real one goes through: launch, claim, batches, sweeps. */
export class Storyteller {
  private seq = 0;
  private attempt = 0;

  private constructor(
    private readonly database: Database,
    readonly runId: string,
    private readonly startMs: number,
  ) {}

  static async launch(database: Database, name: string, seed: number, startMs: number): Promise<Storyteller> {
    await registerWorker(database, SEED_WORKER);
    const demo = GRPO_PRESETS.demo;
    const config = { ...demo, seed, engine: { ...demo.engine, kind: 'tinker' } };
    const launch = parseLaunch({ name: `${name} ${SEED_MARK}`, recipe: 'grpo', preset: 'demo', config });
    const { runId } = await launchRun(database, launch);
    return new Storyteller(database, runId, startMs);
  }

  /** Starts the run's next attempt. */
  async claim(): Promise<void> {
    const claim = await claimRun(this.database, SEED_WORKER, DEFAULT_LEASE);
    if (claim?.claimed.runId !== this.runId)
      throw new Error(`expected to claim ${this.runId}, got ${claim?.claimed.runId ?? 'nothing'}`);
    this.attempt = claim.claimed.attempt;
    this.seq = 0;
    await this.keepLease();
  }

  async say(events: readonly RunEvent[]): Promise<void> {
    for (let start = 0; start < events.length; start += BATCH_EVENTS) {
      const batch = events.slice(start, start + BATCH_EVENTS).map((event): StampedEvent => ({
        v: SCHEMA_VERSION,
        runId: this.runId,
        attempt: this.attempt,
        seq: this.seq,
        at: this.startMs + EVENT_MS * this.seq++,
        event,
      }));
      await appendEvents(this.database, SEED_WORKER.workerId, {
        runId: this.runId,
        attempt: this.attempt,
        events: batch,
      });
    }
  }

  /** As if the worker had gone: the run is lost, and with `requeued` in the queue again. */
  async loseWorker(requeued: boolean): Promise<void> {
    const silence = `${requeued ? 3.5 : 1.5} * $2::double precision * interval '1 millisecond'`;
    await this.database.pool.query(
      `UPDATE "Run" SET "lastBeatAt" = clock_timestamp() - ${silence} WHERE "id" = $1`,
      [this.runId, DEFAULT_LEASE.leaseMs],
    );
    await sweepLeases(this.database, DEFAULT_LEASE);
    if (requeued) await sweepLeases(this.database, DEFAULT_LEASE);
    else await this.keepLease();
  }

  /** No process beats for it; a day's lease leaves it as it was told. */
  private async keepLease(): Promise<void> {
    const { run } = await requireRun(this.database, this.runId);
    if (!isHeldStatus(run.status) && run.status !== 'lost') return;
    await this.database.pool.query(
      `UPDATE "Run" SET "lastBeatAt" = clock_timestamp() + interval '1 day' WHERE "id" = $1`,
      [this.runId],
    );
  }
}
