import type { Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PublishedEvent } from '@/contract/run-events';
import { applyRunEvent, emptyRunView } from '@/contract/run-view';
import type { ClaimedRun } from '@/contract/socket';
import { parseLaunch } from '@/contract/recipes/registry';
import { launchRun } from '../runs/commands';
import { eventsAfter, requireRun } from '../runs/queries';
import { aLaunch, somePoints, stamp } from '../testing/a-launch';
import { connectBrowser, connectWorker, valueOf } from '../testing/connect';
import type { BrowserClient, WorkerClient } from '../testing/connect';
import { startTestServer } from '../testing/start-server';
import type { TestServer } from '../testing/start-server';

let server: TestServer;
let worker: WorkerClient;
let run: ClaimedRun;
let browsers: BrowserClient[] = [];

beforeAll(async () => {
  server = await startTestServer({ lease: { heartbeatMs: 5_000, leaseMs: 60_000, maxAttempts: 3 } });
  worker = await connectWorker(server.url, server.workerToken);
});
afterAll(async () => {
  worker.close();
  await server.close();
});
beforeEach(async () => {
  await launchRun(server.database, parseLaunch(aLaunch()));
  const claimed = valueOf(await worker.emitWithAck('run:claim'));
  if (!claimed) throw new Error('the launched run was not claimed');
  run = claimed;
});
afterEach(() => {
  for (const browser of browsers) browser.close();
  browsers = [];
});

async function openBrowser(): Promise<{ browser: BrowserClient; heard: PublishedEvent[] }> {
  const browser = await connectBrowser(server.url);
  browsers.push(browser);
  const heard: PublishedEvent[] = [];
  browser.on('run:events', (message) => {
    if (message.runId === run.runId) heard.push(...message.events);
  });
  return { browser, heard };
}

async function watch(browser: BrowserClient, afterPosition: number) {
  return valueOf(await browser.emitWithAck('run:watch', { runId: run.runId, afterPosition }));
}

async function append(count: number, fromSeq: number) {
  const events = stamp(run, somePoints(count, fromSeq + 1), fromSeq);
  return valueOf(await worker.emitWithAck('events:append', { ...run, events }));
}

const positions = (events: PublishedEvent[]) => events.map((event) => event.position);

describe('a browser that watches a run', () => {
  it('hears what it missed, then what follows, without a gap', async () => {
    await append(3, 0);
    const { browser, heard } = await openBrowser();
    const missed = await watch(browser, 0);
    await append(2, 3);
    // The first event is the claim, which the server says itself.
    expect(missed.kind === 'events' && positions(missed.events)).toEqual([1, 2, 3, 4]);
    await expect.poll(() => positions(heard)).toEqual([5, 6]);
  });

  it('loses nothing that is stored while it begins to watch', async () => {
    const { browser, heard } = await openBrowser();
    const [missed] = await Promise.all([
      watch(browser, 0),
      (async () => {
        for (let seq = 0; seq < 60; seq += 3) await append(3, seq);
      })(),
    ]);
    const known = () =>
      new Set([...(missed.kind === 'events' ? positions(missed.events) : []), ...positions(heard)]);
    await expect.poll(() => known().size).toBe(61);
  });

  it('sees what every other browser sees, and what is stored', async () => {
    const [one, two] = [await openBrowser(), await openBrowser()];
    for (const { browser } of [one, two]) await watch(browser, 1);
    await append(20, 0);
    await append(20, 20);
    await expect.poll(() => one.heard.length).toBe(40);
    await expect.poll(() => two.heard).toEqual(one.heard);
    const stored = await eventsAfter(server.database, run.runId, 0);
    expect(stored.events.slice(1)).toEqual(one.heard);
    const { view } = await requireRun(server.database, run.runId);
    expect(stored.events.reduce(applyRunEvent, { ...emptyRunView(run.runId), steps: view.steps })).toEqual(
      view,
    );
  });

  it('is told to fetch again after a gap of more than a thousand events', async () => {
    await append(1001, 0);
    const { browser } = await openBrowser();
    expect(await watch(browser, 1)).toEqual({ kind: 'refetch' });
    const last = await watch(browser, 2);
    expect(last.kind === 'events' && last.events).toHaveLength(1000);
  });

  it('hears nothing more once it has stopped watching', async () => {
    const { browser, heard } = await openBrowser();
    await watch(browser, 0);
    browser.emit('run:unwatch', { runId: run.runId });
    // Answered after the one before it, since messages of a socket keep their order.
    await browser.emitWithAck('runs:watch');
    await append(1, 0);
    await append(1, 1);
    expect(heard).toEqual([]);
  });

  it('connects again by itself after a restart and goes on where it was', async () => {
    await append(3, 0);
    const { browser } = await openBrowser();
    await watch(browser, 4);
    const again = new Promise<void>((resolve) => browser.once('connect', () => resolve()));
    const workerAgain = new Promise<void>((resolve) => worker.once('connect', () => resolve()));
    await server.restart();
    await Promise.all([again, workerAgain]);
    await append(2, 3);
    const missed = await watch(browser, 4);
    expect(missed.kind === 'events' && positions(missed.events)).toEqual([5, 6]);
  });

  it.each([
    [{ runId: 7, afterPosition: 0 }, 'runId'],
    [{ runId: 'r-0001', afterPosition: -1 }, 'afterPosition'],
    [{ runId: 'r-0001' }, 'afterPosition'],
    ['r-0001', ''],
    [null, ''],
  ])('that sends %j is told which field is wrong', async (message, path) => {
    const { browser } = await openBrowser();
    const answer = await browser.emitWithAck('run:watch', message as never);
    expect(answer.ok).toBe(false);
    expect(!answer.ok && answer.error.issues.map((issue) => issue.path)).toContain(path);
  });

  it('of an unknown run is told so', async () => {
    const { browser } = await openBrowser();
    const answer = await browser.emitWithAck('run:watch', { runId: 'r-9999', afterPosition: 0 });
    expect(!answer.ok && answer.error.code).toBe('not_found');
  });

  it('that sends no acknowledgement or nonsense does not disturb the server', async () => {
    const { browser } = await openBrowser();
    // What the types forbid, a foreign client may send all the same.
    const untyped: Socket = browser;
    untyped.emit('run:watch', 5);
    untyped.emit('run:unwatch', { nothing: true });
    untyped.emit('no:such:event');
    expect(await watch(browser, 1)).toEqual({ kind: 'events', events: [] });
  });
});

describe('the list of runs', () => {
  it('is told of a launch by the form, of a stop and of events', async () => {
    const { browser } = await openBrowser();
    const changed: string[] = [];
    browser.on('runs:changed', ({ runId }) => changed.push(runId));
    await browser.emitWithAck('runs:watch');
    await append(1, 0);
    await expect.poll(() => changed).toContain(run.runId);
    const launched = await fetch(`${server.url}/api/v1/runs`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(aLaunch()),
    });
    const { runId } = (await launched.json()) as { runId: string };
    await expect.poll(() => changed).toContain(runId);
    changed.length = 0;
    await fetch(`${server.url}/api/v1/runs/${runId}/stop`, { method: 'POST' });
    await expect.poll(() => changed).toContain(runId);
  });
});
