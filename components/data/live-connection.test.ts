import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { aRunDetail } from '@/components/run/fixtures';
import { LiveConnection } from './live-connection';
import { queryKeys } from './query-keys';

type Listener = (...values: unknown[]) => void;

/** The server’s end of a socket: what the page asks waits here until the test answers it. */
const socket = vi.hoisted(() => ({
  connected: false,
  listeners: new Map<string, Listener>(),
  asked: [] as { event: string; answer: Listener }[],
  on(event: string, listener: Listener) {
    this.listeners.set(event, listener);
  },
  emit(event: string, ...rest: unknown[]) {
    const answer = rest.at(-1);
    if (typeof answer === 'function') this.asked.push({ event, answer: answer as Listener });
  },
  io: { engine: { on: () => undefined } },
}));
vi.mock('socket.io-client', () => ({ io: () => socket }));

beforeEach(() => {
  socket.asked = [];
  socket.connected = false;
});

function connect(): void {
  socket.connected = true;
  socket.listeners.get('connect')?.();
}

function answer(event: string, value: unknown): void {
  const asked = socket.asked.find((each) => each.event === event);
  if (!asked) throw new Error(`${event} was not asked`);
  asked.answer({ ok: true, value });
}

/** A cache as it comes with a page, before the page hears anything. */
function cacheOf(...keys: (readonly string[])[]) {
  const client = new QueryClient();
  for (const key of keys) client.setQueryData(key, []);
  const isStale = (key: readonly string[]) => client.getQueryState(key)?.isInvalidated;
  return { client, isStale };
}

it('asks anew for what detectors found between the making of the page and its first connection', () => {
  const detail = aRunDetail();
  const runId = detail.run.id;
  const { client, isStale } = cacheOf(queryKeys.alerts(runId), queryKeys.failureClusters(runId));
  client.setQueryData(queryKeys.detail(runId), detail);
  const live = new LiveConnection(client);
  live.watchRun(runId);
  connect();
  // Not before the server counts the page in: what is told after an answer would be missed again.
  expect(isStale(queryKeys.alerts(runId))).toBe(false);
  answer('run:watch', { kind: 'events', events: [] });
  expect(isStale(queryKeys.alerts(runId))).toBe(true);
  expect(isStale(queryKeys.failureClusters(runId))).toBe(true);
});

it('asks anew for a list of runs, and for the workers, once it is told of their changes', () => {
  const { client, isStale } = cacheOf(queryKeys.runPages, queryKeys.runsSummary, queryKeys.workers);
  const live = new LiveConnection(client);
  live.watchRuns();
  connect();
  expect(isStale(queryKeys.workers)).toBe(true);
  expect(isStale(queryKeys.runPages)).toBe(false);
  answer('runs:watch', null);
  expect(isStale(queryKeys.runPages)).toBe(true);
  expect(isStale(queryKeys.runsSummary)).toBe(true);
});
