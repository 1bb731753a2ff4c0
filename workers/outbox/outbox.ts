import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@/contract/errors';
import type { RunEvent, StampedEvent } from '@/contract/run-events';
import type { RunAttempt } from '@/contract/socket';
import { orAborted } from '../retry';
import { Delivery, type EventSink } from './delivery';
import { EventLog } from './event-log';

/** More than this waiting for the server pauses a run, in bytes. */
const MAX_PENDING_BYTES = 2 * 1024 ** 3;

export interface OutboxOptions {
  sink: EventSink;
  /** ms since 1970 */
  now: () => number;
  /** Tells whoever watches the worker. */
  say: (line: string) => void;
  maxPendingBytes?: number;
}

/** What an attempt wants to know of its events' fate. */
export interface AttemptListener {
  /** The attempt is no longer this worker's. */
  superseded(): void;
  /** The server takes nothing of it; its events are set aside on this disk. */
  undeliverable(reason: AppError): void;
}

/** Everything this worker has said and the server has not yet acknowledged, on disk; a folder an attempt. */
export class Outbox {
  constructor(
    private readonly dir: string,
    private readonly options: OutboxOptions,
  ) {}

  open(attempt: RunAttempt, listener: AttemptListener): OutgoingAttempt {
    const dir = this.dirOf(attempt);
    if (existsSync(dir))
      throw new AppError(
        'conflict',
        `outbox folder ${dir} exists: run ${attempt.runId} has this attempt already`,
      );
    return new OutgoingAttempt(EventLog.create(dir, attempt), this.dir, this.options, listener);
  }

  /** Opens what earlier lives of this worker left, oldest run and attempt first, and goes on sending it. */
  recover(listenerOf: (attempt: RunAttempt) => AttemptListener): OutgoingAttempt[] {
    if (!existsSync(this.dir)) return [];
    const attempts = readdirSync(this.dir)
      .map((name) => /^(.+)\.(\d+)$/.exec(name))
      .flatMap((match) => (match?.[1] && match[2] ? [{ runId: match[1], attempt: Number(match[2]) }] : []))
      .sort((a, b) => a.runId.localeCompare(b.runId) || a.attempt - b.attempt);
    return attempts.map(
      (attempt) =>
        new OutgoingAttempt(
          EventLog.recover(this.dirOf(attempt), attempt),
          this.dir,
          this.options,
          listenerOf(attempt),
        ),
    );
  }

  private dirOf({ runId, attempt }: RunAttempt): string {
    if (!/^[\w-]+$/.test(runId))
      throw new AppError('invalid_input', `run id ${JSON.stringify(runId)} cannot name a folder`);
    return join(this.dir, `${runId}.${attempt}`);
  }
}

/** One attempt's way out: appended to its file at once, delivered when the server takes it. */
export class OutgoingAttempt {
  private readonly delivery: Delivery;
  private readonly maxPendingBytes: number;
  private isSetAside = false;
  private lastSaid = '';

  constructor(
    private readonly log: EventLog,
    private readonly outboxDir: string,
    private readonly options: OutboxOptions,
    listener: AttemptListener,
  ) {
    this.maxPendingBytes = options.maxPendingBytes ?? MAX_PENDING_BYTES;
    this.delivery = new Delivery(
      log,
      options.sink,
      {
        superseded: () => listener.superseded(),
        refused: (event, reason) => this.keepRefused(event, reason),
        stumbled: (reason) => this.sayOnce(`the server failed over its events: ${reason.message}`),
        undeliverable: (reason) => {
          this.setAside(reason);
          listener.undeliverable(reason);
        },
      },
      options.now,
    );
  }

  get attempt(): RunAttempt {
    return this.log.attempt;
  }

  /** Seq of the last event; -1 = none. */
  get lastSeq(): number {
    return this.log.lastSeq;
  }

  get pendingBytes(): number {
    return this.log.pendingBytes;
  }

  get isFull(): boolean {
    return this.log.pendingBytes > this.maxPendingBytes;
  }

  /** Throws `unavailable` where the disk refuses. Once set aside, what is said goes nowhere and is not kept. */
  append(event: RunEvent): void {
    if (!this.isSetAside) this.log.append(event, this.options.now());
  }

  /** Resolves once half of the bound is free, or `signal` aborts. */
  async room(signal: AbortSignal): Promise<void> {
    while (!this.isSetAside && !signal.aborted && this.log.pendingBytes > this.maxPendingBytes / 2)
      await orAborted(this.log.changed(), signal);
  }

  /**
   * Waits until the server has everything and forgets it. Once `signal` aborts, what is left stays on disk for the
   * worker's next life.
   * @returns whether the server has everything
   */
  async finish(signal: AbortSignal): Promise<boolean> {
    await this.delivery.drained(signal);
    await this.delivery.stop();
    const delivered = !this.isSetAside && this.log.drained;
    if (delivered) this.log.remove();
    return delivered;
  }

  /** A failure that repeats is worth one line. */
  private sayOnce(message: string): void {
    if (message === this.lastSaid) return;
    this.lastSaid = message;
    this.options.say(`run ${this.attempt.runId} attempt ${this.attempt.attempt}: ${message}; trying again`);
  }

  private keepRefused(event: StampedEvent, reason: AppError): void {
    const dir = join(this.outboxDir, 'refused');
    mkdirSync(dir, { recursive: true });
    const path = join(dir, `${event.runId}.${event.attempt}.${event.seq}.json`);
    writeFileSync(path, JSON.stringify({ reason: reason.message, issues: reason.issues, event }));
    this.options.say(
      `run ${event.runId}: the server refused event ${event.seq}, kept in ${path}: ${reason.message}`,
    );
  }

  private setAside(reason: AppError): void {
    this.isSetAside = true;
    this.log.close();
    const { runId, attempt } = this.attempt;
    const dir = join(this.outboxDir, 'set-aside');
    mkdirSync(dir, { recursive: true });
    const path = join(dir, `${runId}.${attempt}.${this.options.now()}`);
    renameSync(this.log.dir, path);
    this.options.say(
      `run ${runId}: the server takes no more of attempt ${attempt}, kept in ${path}: ${reason.message}`,
    );
  }
}
