import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Report, ReportChange } from '@/contract/report';
import type { ReportContent } from './report-draft';
import { reportDraftsOf } from './report-drafts';

interface Sent {
  url: string;
  method: string | undefined;
  outlivesPage: boolean;
  change: ReportChange;
}

/** What the server has, every change that it was sent, and how many of them it was told to leave unanswered, as on a slow line. */
let stored: Report;
let sent: Sent[];
let unanswered: number;
beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  unanswered = 0;
  stored = { id: '3', title: 'Findings', blocks: [], revision: 4, createdAt: 1, updatedAt: 1 };
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const change = JSON.parse(String(init?.body)) as ReportChange;
    sent.push({ url, method: init?.method, outlivesPage: init?.keepalive === true, change });
    if (unanswered > 0) {
      unanswered -= 1;
      // Dropped with the page that asked.
      await new Promise((_, reject) =>
        window.addEventListener('pagehide', () => reject(new TypeError('network')), { once: true }),
      );
    }
    if (change.revision !== stored.revision)
      return Response.json(
        { error: { code: 'conflict', message: 'changed elsewhere', issues: [] } },
        { status: 409 },
      );
    stored = { ...stored, ...change, revision: stored.revision + 1 };
    return Response.json(stored);
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const open = () => reportDraftsOf(new QueryClient()).open(stored);
const written = (text: string): ReportContent => ({
  title: 'Findings',
  blocks: [{ id: 'b1', kind: 'text', text }],
});
/** The browser leaves the page: a reload, another address, a closed tab. */
const leavePage = () => window.dispatchEvent(new Event('pagehide'));
const pause = () => vi.advanceTimersByTimeAsync(1000);

describe('text that is not stored when the browser leaves the page', () => {
  it('is sent at once in a request that outlives the page, by the route and revision of a save', async () => {
    open().change(written('Typed at the last moment.'));
    leavePage();
    expect(sent).toMatchObject([
      {
        url: '/api/v1/reports/3',
        method: 'PUT',
        outlivesPage: true,
        change: { revision: 4, title: 'Findings', blocks: [{ text: 'Typed at the last moment.' }] },
      },
    ]);
    await pause();
    expect(sent).toHaveLength(1);
  });

  it('is stored once where the page comes back, and typing goes on from there', async () => {
    const draft = open();
    draft.change(written('One.'));
    leavePage();
    await pause();
    expect(draft.current().state.kind).toBe('saved');
    draft.change(written('One. Two.'));
    await pause();
    expect(sent.map(({ change, outlivesPage }) => [change.revision, outlivesPage])).toEqual([
      [4, true],
      [5, false],
    ]);
  });

  it('is sent again where a save was on its way, which the browser drops with the page', async () => {
    unanswered = 1;
    const draft = open();
    draft.change(written('One.'));
    await pause();
    draft.change(written('One. Two.'));
    leavePage();
    await pause();
    expect(sent.map(({ change, outlivesPage }) => [change.revision, outlivesPage])).toEqual([
      [4, false],
      [4, true],
    ]);
    expect(stored.blocks).toMatchObject([{ text: 'One. Two.' }]);
    expect(draft.current().state.kind).toBe('saved');
  });

  it('is not put over what was changed elsewhere', async () => {
    const draft = open();
    stored = { ...stored, revision: 9 };
    draft.change(written('Mine.'));
    await pause();
    expect(draft.current().state.kind).toBe('conflict');
    leavePage();
    await pause();
    expect(sent).toHaveLength(1);
    draft.drop();
  });

  it('and is longer than a browser lets outlive a page is sent as ever', async () => {
    open().change(written('é'.repeat(40_000)));
    leavePage();
    await pause();
    expect(sent).toMatchObject([{ outlivesPage: false }]);
    expect(stored.revision).toBe(5);
  });

  it('is all that is sent: what is stored is not sent again', async () => {
    const draft = open();
    draft.change(written('One.'));
    await pause();
    leavePage();
    expect(sent).toHaveLength(1);
  });
});
