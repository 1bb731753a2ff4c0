import { useSyncExternalStore } from 'react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ListedRun, RunsSummary } from '@/contract/run-list';
import { useKeyListener } from '@/components/ui/key-map';
import { aListedRun } from './fixtures';
import { RunsScreen } from './runs-screen';

const push = vi.fn();
const urlWatchers = new Set<() => void>();
vi.mock('next/navigation', () => ({
  useRouter: () => ({ push }),
  useSearchParams: () =>
    new URLSearchParams(
      useSyncExternalStore(
        (watcher) => {
          urlWatchers.add(watcher);
          return () => urlWatchers.delete(watcher);
        },
        () => window.location.search,
      ),
    ),
}));

let stored: ListedRun[];
let asked: URL[];
const summary: RunsSummary = {
  matching: 250,
  total: 10_000,
  statuses: { running: 3, finished: 247 },
  recipes: ['dapo', 'grpo'],
  environments: ['babyai'],
};

beforeEach(() => {
  window.history.replaceState(null, '', '/runs');
  const replaceState = window.history.replaceState.bind(window.history);
  vi.spyOn(window.history, 'replaceState').mockImplementation((...change) => {
    replaceState(...change);
    for (const watcher of urlWatchers) watcher();
  });
  stored = Array.from({ length: 250 }, (_, index) =>
    aListedRun({ id: `r-${index}`, name: `run ${index}`, cursor: `${index}_${index}` }),
  );
  asked = [];
  vi.stubGlobal('fetch', (address: string) => {
    const url = new URL(address, 'http://here');
    asked.push(url);
    if (url.pathname.endsWith('/summary')) return Promise.resolve(Response.json(summary));
    const start = Number(url.searchParams.get('after')?.split('_')[0] ?? -1) + 1;
    const rows = url.searchParams.has('kind') ? [] : stored.slice(start, start + 100);
    return Promise.resolve(Response.json(rows));
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  push.mockReset();
});

function Page() {
  useKeyListener();
  return <RunsScreen />;
}

async function show(search = ''): Promise<void> {
  window.history.replaceState(null, '', `/runs${search}`);
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Page />
    </QueryClientProvider>,
  );
  await act(() => Promise.resolve());
}

const search = () => new URLSearchParams(window.location.search);
const lists = () => asked.filter(({ pathname }) => pathname.endsWith('/runs'));

describe('list of runs', () => {
  it('reads a page, draws what the window shows, and goes on from the last row', async () => {
    await show();
    await screen.findByText('run 0');
    expect(screen.getByText(/^10,000 runs · 3 running/)).toBeTruthy();
    expect(screen.getByText(/^250 of 10,000 runs match/)).toBeTruthy();
    expect(screen.queryByText('run 99')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Read more' }));
    await waitFor(() => expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('200'));
    expect(lists().map((url) => url.searchParams.get('after'))).toEqual([null, '99_99']);
  });

  it('says of each run its environment, its cost, and its kind where it is no training', async () => {
    const prices = { currency: 'USD', prefillPerMillion: 1, samplePerMillion: 0, trainPerMillion: 0 };
    const tokens = { 'tokens/prefilled': 5e6, 'tokens/sampled': 0, 'tokens/trained': 0 };
    stored = [
      aListedRun({ id: 'r-1', name: 'priced', prices, tokens }),
      aListedRun({ id: 'r-2', name: 'read in', kind: 'import', environment: null }),
    ];
    await show();
    const priced = (await screen.findByText('priced')).closest('tr') ?? document.body;
    expect(within(priced).getByText('5.00 USD')).toBeTruthy();
    expect(within(priced).getByText('babyai')).toBeTruthy();
    const imported = screen.getByText('read in').closest('tr') ?? document.body;
    expect(within(imported).getByText('import')).toBeTruthy();
    expect(within(imported).queryByText('babyai')).toBeNull();
  });

  it('is ordered by the server at a click on a heading: one way, the other, then the newest first', async () => {
    await show();
    const heading = await screen.findByRole('button', { name: /^Best success/ });
    fireEvent.click(heading);
    expect(search().get('sort')).toBe('best');
    await waitFor(() => expect(lists().at(-1)?.searchParams.get('sort')).toBe('best'));
    fireEvent.click(screen.getByRole('button', { name: /^Best success/ }));
    expect(search().get('direction')).toBe('asc');
    fireEvent.click(screen.getByRole('button', { name: /^Best success/ }));
    expect(window.location.search).toBe('');
  });

  it('is filtered by the server, and the filters are dropped at a click', async () => {
    await show('?kind=import&status=failed,lost&bogus=1');
    await screen.findByText('No run matches. 10,000 are hidden.');
    expect(lists().at(-1)?.searchParams.get('status')).toBe('failed,lost');
    fireEvent.click(screen.getByRole('button', { name: 'Drop the filters' }));
    await screen.findByText('run 0');
    expect(window.location.search).toBe('?bogus=1');
  });

  it('is walked and opened by keyboard', async () => {
    await show();
    await screen.findByText('run 0');
    for (const key of ['j', 'j', 'k', 'j', 'Enter']) fireEvent.keyDown(document.body, { key });
    expect(search().get('run')).toBe('r-1');
    expect(push).toHaveBeenCalledWith('/runs/r-1');
  });
});
