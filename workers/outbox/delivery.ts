import { createHash } from 'node:crypto';
import { AppError } from '@/contract/errors';
import type { AppendEvents, AppendedEvents } from '@/contract/socket';
import { clipMessage, type StampedEvent } from '@/contract/run-events';
import { MAX_BATCH_BYTES } from '@/contract/version';
import { Backoff, isPassing, orAborted } from '../retry';
import type { EventLog } from './event-log';

/** Room in a batch for what surrounds its events. */
const ENVELOPE_BYTES = 1024;
const MAX_BATCH_EVENTS = 5000;

/** Where events go. Both calls throw `unavailable` while the server is away. */
export interface EventSink {
  /** Resolves once the server can be asked. */
  connected(signal: AbortSignal): Promise<void>;
  append(batch: AppendEvents): Promise<AppendedEvents>;
  putBlob(sha256: string, bytes: Uint8Array): Promise<void>;
}

export interface DeliveryListener {
  /** A newer attempt is claimed: data still goes out, but the attempt shall end. */
  superseded(): void;
  /** The server will not take an event; a log line stands in its place. */
  refused(event: StampedEvent, reason: AppError): void;
  /** The server failed over a batch; it is sent again. */
  stumbled(reason: AppError): void;
  /** The server will take nothing of this attempt, now or later. */
  undeliverable(reason: AppError): void;
}

/**
 * Sends the events of one log in order, one batch at a time, until stopped. A batch is sent again until it is
 * acknowledged, however long the server is away; a single event over the batch size goes as a blob.
 */
export class Delivery {
  private readonly stopping = new AbortController();
  private readonly backoff = new Backoff();
  /** Up to this seq events go one by one, to find the one that the server refuses. */
  private singlyUpToSeq = -1;
  private readonly running: Promise<void>;

  constructor(
    private readonly log: EventLog,
    private readonly sink: EventSink,
    private readonly listener: DeliveryListener,
    private readonly now: () => number,
  ) {
    this.running = this.run();
  }

  /** Resolves once everything appended so far is acknowledged, nothing can be delivered, or `signal` aborts. */
  async drained(signal: AbortSignal): Promise<void> {
    while (!this.log.drained && !signal.aborted && !this.stopping.signal.aborted)
      await orAborted(Promise.race([this.log.changed(), this.running]), signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.log.close();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      if (this.log.drained) await this.log.changed();
      else await this.sendOnce();
    }
  }

  private async sendOnce(): Promise<void> {
    const { signal } = this.stopping;
    let events: StampedEvent[] = [];
    try {
      await this.sink.connected(signal);
      if (signal.aborted) return;
      const singly = this.log.acknowledgedSeq < this.singlyUpToSeq;
      const batch = this.log.read(singly ? 1 : MAX_BATCH_EVENTS, MAX_BATCH_BYTES - ENVELOPE_BYTES);
      events = batch.events;
      const answer = await this.send(batch);
      this.backoff.reset();
      this.log.acknowledge(answer.acknowledgedSeq);
      if (answer.standing === 'superseded') this.listener.superseded();
    } catch (error) {
      if (error instanceof AppError && error.code === 'internal') this.listener.stumbled(error);
      if (isPassing(error)) await this.backoff.wait(signal);
      else if (error instanceof AppError) this.handleRefusal(events, error);
      else this.giveUp(new AppError('internal', 'the outbox cannot be read', [], { cause: error }));
    }
  }

  private async send({ events, bytes }: { events: StampedEvent[]; bytes: number }): Promise<AppendedEvents> {
    const { attempt } = this.log;
    if (bytes <= MAX_BATCH_BYTES - ENVELOPE_BYTES) return this.sink.append({ ...attempt, events });
    const blob = Buffer.from(JSON.stringify(events), 'utf8');
    const sha256 = createHash('sha256').update(blob).digest('hex');
    await this.sink.putBlob(sha256, blob);
    return this.sink.append({ ...attempt, events: [], blobs: [sha256] });
  }

  private giveUp(reason: AppError): void {
    this.stopping.abort();
    this.listener.undeliverable(reason);
  }

  private handleRefusal(events: StampedEvent[], reason: AppError): void {
    const [first] = events;
    const last = events[events.length - 1];
    if (!first || !last || reason.code !== 'invalid_input' || this.log.isReplaced(first.seq)) {
      this.giveUp(reason);
      return;
    }
    if (first !== last) {
      this.singlyUpToSeq = last.seq;
      return;
    }
    this.listener.refused(first, reason);
    const message = `event ${first.seq} (${first.event.kind}) was refused by the server: ${reason.message}`;
    this.log.replace(
      first.seq,
      { kind: 'log:written', level: 'error', message: clipMessage(message) },
      this.now(),
    );
  }
}
