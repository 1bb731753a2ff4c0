import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '@/contract/errors';
import type { RunEvent, StampedEvent } from '@/contract/run-events';
import type { AppendedEvents, AppendEvents } from '@/contract/socket';
import { MAX_BATCH_BYTES } from '@/contract/version';
import type { EventSink } from './delivery';
import { Outbox, type OutgoingAttempt } from './outbox';

/** The server's side by its rules: each seq once, no gaps, an answer that may get lost. */
class RecordingServer implements EventSink {
  readonly stored: StampedEvent[] = [];
  readonly batches: AppendEvents[] = [];
  readonly blobs = new Map<string, Uint8Array>();
  isAway = false;
  losesAnswers = 0;
  refuses: (event: StampedEvent) => AppError | null = () => null;
  standing: AppendedEvents['standing'] = 'current';

  connected(): Promise<void> {
    return Promise.resolve();
  }

  append(batch: AppendEvents): Promise<AppendedEvents> {
    if (this.isAway) return Promise.reject(new AppError('unavailable', 'away'));
    this.batches.push(batch);
    const fromBlobs = (batch.blobs ?? []).flatMap(
      (sha256) => JSON.parse(Buffer.from(this.blobs.get(sha256) ?? []).toString()) as StampedEvent[],
    );
    const events = [...batch.events, ...fromBlobs];
    for (const event of events) {
      const refusal = this.refuses(event);
      if (refusal) return Promise.reject(refusal);
    }
    for (const event of events)
      if (event.seq === this.stored.length) this.stored.push(event);
      else if (event.seq > this.stored.length)
        return Promise.reject(new AppError('conflict', `expected seq ${this.stored.length}`));
    if (this.losesAnswers > 0) {
      this.losesAnswers--;
      return Promise.reject(new AppError('unavailable', 'no answer'));
    }
    return Promise.resolve({ acknowledgedSeq: this.stored.length - 1, standing: this.standing });
  }

  putBlob(sha256: string, bytes: Uint8Array): Promise<void> {
    if (this.isAway) return Promise.reject(new AppError('unavailable', 'away'));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    this.blobs.set(sha256, bytes);
    return Promise.resolve();
  }
}

const attempt = { runId: 'r-0001', attempt: 1 };
const never = new AbortController().signal;
let dir: string;
let server: RecordingServer;
let said: string[];
let heard: string[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'stepscope-outbox-'));
  server = new RecordingServer();
  said = [];
  heard = [];
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const listener = {
  superseded: () => void heard.push('superseded'),
  undeliverable: (reason: AppError) => void heard.push(`undeliverable: ${reason.message}`),
};

function outbox(maxPendingBytes?: number): Outbox {
  return new Outbox(dir, { sink: server, now: () => 42, say: (line) => said.push(line), maxPendingBytes });
}

function line(message: string): RunEvent {
  return { kind: 'log:written', level: 'info', message };
}

function sayMany(outgoing: OutgoingAttempt, count: number, text = ''): void {
  for (let i = 0; i < count; i++) outgoing.append(line(`${i}${text}`));
}

function messages(): unknown[] {
  return server.stored.map((event) => event.event.message);
}

/** Aborted after a while: what a shutting-down worker waits with. */
function soon(): AbortSignal {
  return AbortSignal.timeout(400);
}

describe('Outbox', () => {
  it('delivers everything in order and forgets it', async () => {
    const outgoing = outbox().open(attempt, listener);
    sayMany(outgoing, 500);
    expect(await outgoing.finish(never)).toBe(true);
    expect(messages()).toEqual(Array.from({ length: 500 }, (_, i) => String(i)));
    expect(readdirSync(dir)).toEqual([]);
  });

  it('delivers each event once where answers get lost', async () => {
    server.losesAnswers = 2;
    const outgoing = outbox().open(attempt, listener);
    sayMany(outgoing, 20);
    expect(await outgoing.finish(never)).toBe(true);
    expect(messages()).toEqual(Array.from({ length: 20 }, (_, i) => String(i)));
    expect(server.batches.length).toBeGreaterThan(2);
  });

  it('keeps every batch within the limit of the socket', async () => {
    server.isAway = true;
    const outgoing = outbox().open(attempt, listener);
    sayMany(outgoing, 300, 'ü'.repeat(5000));
    server.isAway = false;
    expect(await outgoing.finish(never)).toBe(true);
    expect(server.stored).toHaveLength(300);
    const sizes = server.batches.map((batch) => Buffer.byteLength(JSON.stringify(batch)));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_BATCH_BYTES);
    expect(Math.max(...sizes)).toBeGreaterThan(MAX_BATCH_BYTES / 2);
  });

  it('sends an event that is too large as a blob, in its place among the others', async () => {
    const outgoing = outbox().open(attempt, listener);
    outgoing.append(line('before'));
    outgoing.append({ kind: 'log:written', level: 'info', message: 'y'.repeat(MAX_BATCH_BYTES) });
    outgoing.append(line('after'));
    expect(await outgoing.finish(never)).toBe(true);
    expect(server.stored.map((event) => event.seq)).toEqual([0, 1, 2]);
    expect(server.blobs.size).toBe(1);
    expect(server.batches.find((batch) => batch.blobs)?.events).toEqual([]);
  });

  it('takes what is said while the server is away, and delivers it after', async () => {
    server.isAway = true;
    const outgoing = outbox().open(attempt, listener);
    sayMany(outgoing, 1000);
    setTimeout(() => (server.isAway = false), 300);
    expect(await outgoing.finish(never)).toBe(true);
    expect(server.stored).toHaveLength(1000);
  });

  it('leaves on disk what was not taken, and the next life sends it first', async () => {
    server.isAway = true;
    const outgoing = outbox().open(attempt, listener);
    sayMany(outgoing, 5);
    expect(await outgoing.finish(soon())).toBe(false);
    server.isAway = false;
    const [left, ...others] = outbox().recover(() => listener);
    expect(others).toEqual([]);
    expect(left?.attempt).toEqual(attempt);
    left?.append(line('from the next life'));
    expect(await left?.finish(never)).toBe(true);
    expect(messages()).toEqual(['0', '1', '2', '3', '4', 'from the next life']);
    expect(readdirSync(dir)).toEqual([]);
  });

  it('recovers attempts in the order of their runs and numbers', async () => {
    server.isAway = true;
    for (const left of [
      { runId: 'r-0002', attempt: 1 },
      { runId: 'r-0001', attempt: 10 },
      { runId: 'r-0001', attempt: 9 },
    ]) {
      const outgoing = outbox().open(left, listener);
      outgoing.append(line('x'));
      await outgoing.finish(AbortSignal.abort());
    }
    const recovered = outbox().recover(() => listener);
    expect(recovered.map(({ attempt: { runId, attempt } }) => `${runId}.${attempt}`)).toEqual([
      'r-0001.9',
      'r-0001.10',
      'r-0002.1',
    ]);
    for (const left of recovered) await left.finish(AbortSignal.abort());
  });

  it('refuses an attempt that it holds already', async () => {
    const outgoing = outbox().open(attempt, listener);
    expect(() => outbox().open(attempt, listener)).toThrow('run r-0001 has this attempt already');
    await outgoing.finish(AbortSignal.abort());
  });

  it('refuses a run id that would leave its folder', () => {
    expect(() => outbox().open({ runId: '../x', attempt: 1 }, listener)).toThrow(
      'run id "../x" cannot name a folder',
    );
  });

  it('says so where a newer attempt has taken over, and still delivers', async () => {
    server.standing = 'superseded';
    const outgoing = outbox().open(attempt, listener);
    sayMany(outgoing, 3);
    expect(await outgoing.finish(never)).toBe(true);
    expect(heard).toContain('superseded');
    expect(server.stored).toHaveLength(3);
  });

  it('puts a log line in the place of the one event that the server refuses, and keeps the event', async () => {
    server.isAway = true;
    server.refuses = (event) =>
      event.event.message === '7' ? new AppError('invalid_input', 'message: not 7') : null;
    const outgoing = outbox().open(attempt, listener);
    sayMany(outgoing, 10);
    server.isAway = false;
    expect(await outgoing.finish(never)).toBe(true);
    expect(messages()).toEqual([
      ...['0', '1', '2', '3', '4', '5', '6'],
      'event 7 (log:written) was refused by the server: message: not 7',
      ...['8', '9'],
    ]);
    const kept = JSON.parse(readFileSync(join(dir, 'refused', 'r-0001.1.7.json'), 'utf8')) as object;
    expect(kept).toMatchObject({ reason: 'message: not 7', event: { seq: 7, event: { message: '7' } } });
    expect(said).toHaveLength(1);
  });

  it.each(['not_found', 'forbidden', 'conflict'] as const)(
    'sets an attempt aside that the server takes nothing of: %s',
    async (code) => {
      server.refuses = () => new AppError(code, 'no such run');
      const outgoing = outbox().open(attempt, listener);
      sayMany(outgoing, 3);
      expect(await outgoing.finish(never)).toBe(false);
      expect(heard).toEqual(['undeliverable: no such run']);
      const [setAside] = readdirSync(join(dir, 'set-aside'));
      expect(setAside).toBe('r-0001.1.42');
      expect(outbox().recover(() => listener)).toEqual([]);
      outgoing.append(line('unheard'));
    },
  );

  it('says once that the server fails over a batch, and tries again until it does not', async () => {
    let failures = 2;
    server.refuses = () => (failures-- > 0 ? new AppError('internal', 'error 7f') : null);
    const outgoing = outbox().open(attempt, listener);
    sayMany(outgoing, 1);
    expect(await outgoing.finish(never)).toBe(true);
    expect(said).toEqual(['run r-0001 attempt 1: the server failed over its events: error 7f; trying again']);
    expect(server.stored).toHaveLength(1);
  });

  it('sets an attempt aside whose log lines are refused as well', async () => {
    server.refuses = () => new AppError('invalid_input', 'nothing pleases');
    const outgoing = outbox().open(attempt, listener);
    sayMany(outgoing, 1);
    expect(await outgoing.finish(never)).toBe(false);
    expect(heard).toEqual(['undeliverable: nothing pleases']);
  });

  it('is full beyond its bound and has room again once half of it is free', async () => {
    server.isAway = true;
    const outgoing = outbox(10_000).open(attempt, listener);
    sayMany(outgoing, 3, 'z'.repeat(3000));
    expect(outgoing.isFull).toBe(false);
    sayMany(outgoing, 1, 'z'.repeat(3000));
    expect(outgoing.isFull).toBe(true);
    const room = outgoing.room(never);
    server.isAway = false;
    await room;
    expect(outgoing.pendingBytes).toBeLessThanOrEqual(5000);
    await outgoing.finish(never);
  });

  it('does not wait for room once the run is asked to stop', async () => {
    server.isAway = true;
    const outgoing = outbox(10).open(attempt, listener);
    sayMany(outgoing, 1);
    await outgoing.room(AbortSignal.abort());
    expect(outgoing.isFull).toBe(true);
    await outgoing.finish(AbortSignal.abort());
  });
});
