import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@/contract/errors';
import { StampedEvent, type RunEvent } from '@/contract/run-events';
import type { RunAttempt } from '@/contract/socket';
import { SCHEMA_VERSION } from '@/contract/version';
import { SegmentFile } from './segment-file';

const SEGMENT_BYTES = 8 * 1024 * 1024;
/** A power failure may cost this much; a killed process costs nothing, since what is written is the system's. */
const SYNCHRONISE_MS = 200;

interface Segment {
  firstSeq: number;
  file: SegmentFile;
}

interface WaitingLine {
  seq: number;
  text: string;
  bytes: number;
  path: string;
}

/**
 * The events of one attempt that the server has not acknowledged, on disk: files of JSON lines named by their
 * first seq. What is acknowledged is forgotten a file at a time, so after a crash some events are sent again; the
 * server keeps each once. Memory does not grow with what waits.
 */
export class EventLog {
  private acknowledged: number;
  /** Byte in the oldest segment at which the first line after `acknowledged` starts, and that line's seq. */
  private offset = 0;
  private offsetSeq: number;
  private wake: (() => void)[] = [];
  private synchronising: NodeJS.Timeout | null = null;
  private failure: AppError | null = null;
  private closed = false;
  private readonly replaced = new Map<number, StampedEvent>();

  private constructor(
    readonly dir: string,
    readonly attempt: RunAttempt,
    /** Oldest first; the last one grows. */
    private readonly segments: Segment[],
    private nextSeq: number,
  ) {
    this.offsetSeq = segments[0]?.firstSeq ?? nextSeq;
    this.acknowledged = this.offsetSeq - 1;
  }

  static create(dir: string, attempt: RunAttempt): EventLog {
    mkdirSync(dir, { recursive: true });
    return new EventLog(dir, attempt, [createSegment(dir, 0)], 0);
  }

  /** Opens what an earlier process left; seq goes on after the last whole line. */
  static recover(dir: string, attempt: RunAttempt): EventLog {
    const segments = readdirSync(dir)
      .filter((name) => /^\d{12}\.jsonl$/.test(name))
      .sort()
      .map((name) => ({ firstSeq: parseInt(name, 10), file: SegmentFile.recover(join(dir, name)) }));
    const last = segments[segments.length - 1];
    if (!last) return new EventLog(dir, attempt, [createSegment(dir, 0)], 0);
    return new EventLog(dir, attempt, segments, nextSeqAfter(last));
  }

  /** Seq of the last event appended; -1 = none. */
  get lastSeq(): number {
    return this.nextSeq - 1;
  }

  /** Every event up to this seq is stored by the server; -1 = none. */
  get acknowledgedSeq(): number {
    return this.acknowledged;
  }

  /** Bytes that wait for the server. */
  get pendingBytes(): number {
    return this.segments.reduce((sum, segment) => sum + segment.file.bytes, 0) - this.offset;
  }

  get drained(): boolean {
    return this.acknowledged >= this.lastSeq;
  }

  /**
   * Stamps an event and writes it down. Throws `unavailable` where the disk refuses; nothing is appended then.
   * @param at ms since 1970
   */
  append(event: RunEvent, at: number): void {
    if (this.failure) throw this.failure;
    const stamped: StampedEvent = { v: SCHEMA_VERSION, ...this.attempt, seq: this.nextSeq, at, event };
    this.growingSegment().file.append(JSON.stringify(stamped));
    this.nextSeq++;
    this.synchroniseSoon();
    this.notify();
  }

  /** What waits, from the first unacknowledged event on: at most `maxEvents` and `maxBytes`, but at least one. */
  read(maxEvents: number, maxBytes: number): { events: StampedEvent[]; bytes: number } {
    const events: StampedEvent[] = [];
    let bytes = 0;
    for (const line of this.waitingLines()) {
      if (events.length === maxEvents || (events.length > 0 && bytes + line.bytes > maxBytes)) break;
      events.push(this.replaced.get(line.seq) ?? this.parse(line));
      bytes += line.bytes;
    }
    return { events, bytes };
  }

  /** Forgets every event up to `seq`. */
  acknowledge(seq: number): void {
    this.acknowledged = Math.max(this.acknowledged, Math.min(seq, this.lastSeq));
    for (const replacedSeq of this.replaced.keys())
      if (replacedSeq <= this.acknowledged) this.replaced.delete(replacedSeq);
    for (
      let next = this.segments[1];
      next && next.firstSeq <= this.acknowledged + 1;
      next = this.segments[1]
    ) {
      this.segments.shift()?.file.remove();
      this.offset = 0;
      this.offsetSeq = next.firstSeq;
    }
    for (const line of this.waitingLines()) {
      if (line.seq > this.acknowledged) break;
      this.offset += line.bytes;
      this.offsetSeq++;
    }
    this.notify();
  }

  /** Sends `event` in the place of the one at `seq`, until that seq is acknowledged. */
  replace(seq: number, event: RunEvent, at: number): void {
    this.replaced.set(seq, { v: SCHEMA_VERSION, ...this.attempt, seq, at, event });
  }

  isReplaced(seq: number): boolean {
    return this.replaced.has(seq);
  }

  /** Resolves at the next append or acknowledgement, or when the log closes. */
  changed(): Promise<void> {
    return this.closed ? Promise.resolve() : new Promise((resolve) => this.wake.push(resolve));
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    if (this.synchronising) clearTimeout(this.synchronising);
    for (const segment of this.segments) segment.file.close();
    this.notify();
  }

  /** Closes and deletes; for what is wholly acknowledged. */
  remove(): void {
    this.close();
    rmSync(this.dir, { recursive: true, force: true });
  }

  /** Every line from `offset` on. Seqs have no gaps, so counting lines gives them without parsing. */
  private *waitingLines(): Generator<WaitingLine> {
    let { offset, offsetSeq: seq } = this;
    for (const { file } of this.segments) {
      while (offset < file.bytes)
        for (const { text, end } of file.linesFrom(offset)) {
          yield { seq: seq++, text, bytes: end - offset, path: file.path };
          offset = end;
        }
      offset = 0;
    }
  }

  private growingSegment(): Segment {
    const last = this.segments[this.segments.length - 1];
    if (last && last.file.bytes < SEGMENT_BYTES) return last;
    const next = createSegment(this.dir, this.nextSeq);
    this.segments.push(next);
    return next;
  }

  private parse({ seq, text, path }: WaitingLine): StampedEvent {
    try {
      const event = StampedEvent.parse(JSON.parse(text));
      if (event.seq !== seq) throw new Error(`its seq is ${event.seq}`);
      return event;
    } catch (error) {
      throw new AppError('invalid_input', `outbox file ${path} is damaged at seq ${seq}`, [], {
        cause: error,
      });
    }
  }

  private synchroniseSoon(): void {
    this.synchronising ??= setTimeout(() => {
      this.synchronising = null;
      this.segments[this.segments.length - 1]?.file.synchronise((error) => {
        if (!this.closed) this.failure ??= error;
      });
    }, SYNCHRONISE_MS).unref();
  }

  private notify(): void {
    for (const resolve of this.wake.splice(0)) resolve();
  }
}

function createSegment(dir: string, firstSeq: number): Segment {
  const path = join(dir, `${String(firstSeq).padStart(12, '0')}.jsonl`);
  return { firstSeq, file: SegmentFile.create(path) };
}

function nextSeqAfter({ firstSeq, file }: Segment): number {
  let nextSeq = firstSeq;
  for (let offset = 0; offset < file.bytes;) {
    const lines = file.linesFrom(offset);
    nextSeq += lines.length;
    offset = lines[lines.length - 1]?.end ?? file.bytes;
  }
  return nextSeq;
}
