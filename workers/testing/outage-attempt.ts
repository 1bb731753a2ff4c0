/** An attempt at a run in this process, with what it tells kept in memory: for what happens while something it asks is away. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StampedEvent } from '@/contract/run-events';
import type { AppendEvents } from '@/contract/socket';
import type { PreparedRun } from '@/rl/recipes/registry';
import { CheckpointStore } from '../checkpoints/checkpoint-store';
import { CheckpointUploader } from '../checkpoints/uploader';
import { createEngine } from '../engines/engine';
import { Outbox, type OutgoingAttempt } from '../outbox/outbox';
import { runAttempt, type AttemptContext, type Ending } from '../run/run-attempt';
import { StopControl } from '../run/stop-control';
import { eventually } from './programs';
import { writeTinyBase } from './tiny-training';

const ATTEMPT = { runId: 'r-0001', attempt: 1 };

/** An attempt whose engine is a tiny untrained model, `base`. */
export class OutageAttempt {
  readonly base: string;
  readonly stop = new StopControl(10_000);
  private readonly stored: StampedEvent['event'][] = [];
  private readonly outgoing: OutgoingAttempt;

  private constructor(readonly root: string) {
    this.base = join(root, 'base');
    const append = ({ events }: AppendEvents) => {
      this.stored.push(...events.map(({ event }) => event));
      return Promise.resolve({ acknowledgedSeq: this.stored.length - 1, standing: 'current' as const });
    };
    const sink = { connected: () => Promise.resolve(), append, putBlob: () => Promise.resolve() };
    const outbox = new Outbox(join(root, 'outbox'), { sink, now: () => 1, say: () => undefined });
    this.outgoing = outbox.open(ATTEMPT, { superseded: () => undefined, undeliverable: () => undefined });
  }

  static async create(): Promise<OutageAttempt> {
    const attempt = new OutageAttempt(mkdtempSync(join(tmpdir(), 'stepscope-outage-')));
    await writeTinyBase(attempt.base);
    return attempt;
  }

  /** Runs to the end. `run` is what the claimed recipe prepares. */
  async run(run: PreparedRun, open: AttemptContext['createEngine'] = createEngine): Promise<Ending> {
    const claimed = { ...ATTEMPT, name: 'tried', recipe: 'any', preset: 'small', config: run.config };
    const ending = await runAttempt(
      { ...claimed, resumeFrom: null, heartbeatMs: 100, leaseMs: 1000 },
      this.contextOf(run, open),
    );
    await this.outgoing.finish(new AbortController().signal);
    return ending;
  }

  statuses(): string[] {
    return this.told('status:changed').map(({ status }) => String(status));
  }

  /** Events of a kind that were told. */
  told(kind: string): StampedEvent['event'][] {
    return this.stored.filter((event) => event.kind === kind);
  }

  /** Waits until the run is paused, and gives the reason. */
  async paused(): Promise<string> {
    await eventually(
      () => this.statuses().includes('paused'),
      () => `paused among ${this.statuses().join()}`,
    );
    return String(this.told('status:changed').find(({ status }) => status === 'paused')?.reason);
  }

  async close(): Promise<void> {
    await this.outgoing.finish(AbortSignal.abort());
    rmSync(this.root, { recursive: true, force: true });
  }

  private contextOf(run: PreparedRun, open: AttemptContext['createEngine']): AttemptContext {
    const store = new CheckpointStore(join(this.root, 'checkpoints'));
    return {
      outgoing: this.outgoing,
      store,
      uploader: new CheckpointUploader(store, { put: () => Promise.resolve() }, 'worker-1'),
      blobs: { fetch: () => Promise.reject(new Error('nothing is fetched')) },
      stop: this.stop,
      prepareRun: () => run,
      createEngine: open,
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
    };
  }
}
