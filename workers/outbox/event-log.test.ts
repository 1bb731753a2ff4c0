import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '@/contract/run-events';
import { EventLog } from './event-log';

const attempt = { runId: 'r-0001', attempt: 2 };
let root: string;
let dir: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'stepscope-log-'));
  dir = join(root, 'log');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function line(message: string): RunEvent {
  return { kind: 'log:written', level: 'info', message };
}

function appendMany(log: EventLog, count: number, message = 'm'): void {
  for (let i = 0; i < count; i++) log.append(line(message), 1000 + i);
}

function seqs(log: EventLog, maxEvents = 5000, maxBytes = 1e9): number[] {
  return log.read(maxEvents, maxBytes).events.map((event) => event.seq);
}

/** The files of a log as a killed process leaves them. */
function firstFile(): string {
  const [name] = readdirSync(dir).sort();
  if (!name) throw new Error('the log has no file');
  return join(dir, name);
}

describe('EventLog', () => {
  it('stamps run, attempt and a seq without gaps from 0', () => {
    const log = EventLog.create(dir, attempt);
    appendMany(log, 3, 'say');
    expect(log.read(10, 1e6).events[2]).toEqual({
      v: 1,
      ...attempt,
      seq: 2,
      at: 1002,
      event: line('say'),
    });
    log.close();
  });

  it('reads from the first unacknowledged event on, as often as asked', () => {
    const log = EventLog.create(dir, attempt);
    appendMany(log, 6);
    log.acknowledge(2);
    expect(seqs(log)).toEqual([3, 4, 5]);
    expect(seqs(log)).toEqual([3, 4, 5]);
    log.acknowledge(1);
    expect(seqs(log)).toEqual([3, 4, 5]);
    log.acknowledge(5);
    expect(seqs(log)).toEqual([]);
    expect(log.drained).toBe(true);
    expect(log.pendingBytes).toBe(0);
    log.close();
  });

  it('keeps to the bounds of a batch, yet always gives the first event', () => {
    const log = EventLog.create(dir, attempt);
    appendMany(log, 4, 'x'.repeat(1000));
    expect(seqs(log, 3)).toEqual([0, 1, 2]);
    expect(seqs(log, 10, 2500)).toEqual([0, 1]);
    expect(seqs(log, 10, 10)).toEqual([0]);
    expect(log.read(1, 10).bytes).toBeGreaterThan(1000);
    log.close();
  });

  it('gives an event that is larger than what is read at once', () => {
    const log = EventLog.create(dir, attempt);
    const long = 'é'.repeat(700_000);
    log.append(line('before'), 1);
    log.append(line(long), 2);
    log.append(line('after'), 3);
    log.acknowledge(0);
    const [event] = log.read(1, 1e9).events;
    expect(event?.event.message).toBe(long);
    log.acknowledge(1);
    expect(seqs(log)).toEqual([2]);
    log.close();
  });

  it('forgets whole files once they are acknowledged, and reads on across files', () => {
    const log = EventLog.create(dir, attempt);
    appendMany(log, 50, 'x'.repeat(400_000));
    const before = readdirSync(dir).length;
    expect(before).toBeGreaterThan(2);
    expect(seqs(log)).toEqual(Array.from({ length: 50 }, (_, i) => i));
    log.acknowledge(30);
    expect(readdirSync(dir).length).toBeLessThan(before);
    expect(seqs(log)).toEqual(Array.from({ length: 19 }, (_, i) => i + 31));
    log.acknowledge(49);
    expect(readdirSync(dir)).toHaveLength(1);
    log.append(line('next'), 5);
    expect(seqs(log)).toEqual([50]);
    log.close();
  });

  it('drops a last line that a crash cut off, keeps every whole one, and goes on with its seq', () => {
    const log = EventLog.create(dir, attempt);
    appendMany(log, 3, 'whole');
    log.close();
    appendFileSync(firstFile(), '{"v":1,"runId":"r-0001","attempt":2,"seq":3,"at":1,"ev');
    const recovered = EventLog.recover(dir, attempt);
    expect(recovered.lastSeq).toBe(2);
    recovered.append(line('next'), 9);
    expect(seqs(recovered)).toEqual([0, 1, 2, 3]);
    recovered.close();
    expect(readFileSync(firstFile(), 'utf8').trimEnd().split('\n')).toHaveLength(4);
  });

  it('recovers at every byte at which a crash can cut the file', () => {
    const log = EventLog.create(dir, attempt);
    appendMany(log, 2, 'été');
    log.close();
    const bytes = readFileSync(firstFile());
    const name = firstFile();
    for (let length = 0; length <= bytes.length; length++) {
      writeFileSync(name, bytes.subarray(0, length));
      const wholeLines = bytes.subarray(0, length).filter((byte) => byte === 0x0a).length;
      const recovered = EventLog.recover(dir, attempt);
      expect(recovered.lastSeq).toBe(wholeLines - 1);
      expect(seqs(recovered)).toHaveLength(wholeLines);
      recovered.close();
    }
  });

  it('goes on with the right seq where all earlier files are acknowledged and gone', () => {
    const log = EventLog.create(dir, attempt);
    appendMany(log, 30, 'x'.repeat(400_000));
    log.acknowledge(29);
    log.close();
    const recovered = EventLog.recover(dir, attempt);
    expect(recovered.lastSeq).toBe(29);
    // What an unfinished file held is sent again: the server has it and keeps it once.
    expect(seqs(recovered)[0]).toBeGreaterThan(0);
    recovered.close();
  });

  it('names file and seq of a damaged line', () => {
    const log = EventLog.create(dir, attempt);
    appendMany(log, 2);
    log.close();
    writeFileSync(firstFile(), readFileSync(firstFile(), 'utf8').replace('"seq":1', '"seq":7'));
    const recovered = EventLog.recover(dir, attempt);
    expect(() => recovered.read(10, 1e6)).toThrow(`${firstFile()} is damaged at seq 1`);
    recovered.close();
  });

  it('gives a replacement in the place of an event until it is acknowledged', () => {
    const log = EventLog.create(dir, attempt);
    appendMany(log, 2, 'original');
    log.replace(0, line('instead'), 7);
    expect(log.read(10, 1e6).events.map((event) => event.event.message)).toEqual(['instead', 'original']);
    log.acknowledge(0);
    expect(log.isReplaced(0)).toBe(false);
    log.close();
  });

  it('says which file a disk refuses, and appends nothing then', () => {
    const log = EventLog.create(dir, attempt);
    appendMany(log, 1);
    const path = firstFile();
    log.close();
    expect(() => log.append(line('late'), 1)).toThrow(`outbox file ${path} cannot be written: EBADF`);
    expect(log.lastSeq).toBe(0);
  });

  it('wakes whoever waits at an append, an acknowledgement and the end', async () => {
    const log = EventLog.create(dir, attempt);
    const appended = log.changed();
    log.append(line('a'), 1);
    await appended;
    const acknowledged = log.changed();
    log.acknowledge(0);
    await acknowledged;
    const closed = log.changed();
    log.close();
    await closed;
    await log.changed();
  });
});
