import { describe, expect, it } from 'vitest';
import { AppError } from '@/contract/errors';
import type { StoredCommand } from '@/contract/play';
import { CommandFeed } from './command-feed';

const ATTEMPT = { runId: 'r-0001', attempt: 1 };
const END: StoredCommand = { number: 2, command: { kind: 'end' } };
const never = new AbortController().signal;

/** A server with these commands, asked as often as `asked` says; a clock that stands at `now`. */
function aFeed(stored: StoredCommand[]) {
  const server = { isConnected: true, asked: 0, fails: false, now: 0 };
  const source = {
    get isConnected() {
      return server.isConnected;
    },
    commandsAfter({ after }: { after: number }) {
      server.asked++;
      if (server.fails) return Promise.reject(new AppError('unavailable', 'the server did not answer'));
      return Promise.resolve(stored.filter(({ number }) => number > after));
    },
  };
  return { server, feed: new CommandFeed(source, () => server.now) };
}

describe('the next command', () => {
  it('is the first after the one that was carried out, however it came', async () => {
    const first: StoredCommand = { number: 1, command: { kind: 'let-model-act', turns: 1 } };
    const { feed } = aFeed([first, END]);
    expect(await feed.next(ATTEMPT, 0, 60, never)).toBe(first);
    expect(await feed.next(ATTEMPT, 1, 60, never)).toBe(END);
  });

  it('is asked for as soon as the server says that it is there', async () => {
    const stored: StoredCommand[] = [];
    const { feed, server } = aFeed(stored);
    const next = feed.next(ATTEMPT, 1, 60, never);
    await new Promise(setImmediate);
    expect(server.asked).toBe(1);
    stored.push(END);
    feed.commanded();
    expect(await next).toBe(END);
    expect(server.asked).toBe(2);
  });

  it('is idle once none has come for so long, and null once the run is stopped', async () => {
    const { feed, server } = aFeed([]);
    const next = feed.next(ATTEMPT, 0, 60, never);
    await new Promise(setImmediate);
    server.now = 60_000;
    feed.commanded();
    expect(await next).toBe('idle');
    const stop = new AbortController();
    const stopped = feed.next(ATTEMPT, 0, 60, stop.signal);
    stop.abort();
    expect(await stopped).toBeNull();
  });

  it('is waited for while the server is away or stumbles', async () => {
    const { feed, server } = aFeed([END]);
    server.fails = true;
    const next = feed.next(ATTEMPT, 1, 60, never);
    await new Promise(setImmediate);
    server.fails = false;
    server.isConnected = false;
    feed.commanded();
    await new Promise(setImmediate);
    expect(server.asked).toBe(1);
    server.isConnected = true;
    feed.commanded();
    expect(await next).toBe(END);
  });
});
