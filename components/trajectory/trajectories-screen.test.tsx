import { useSyncExternalStore } from 'react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ListedTrajectory, TrajectoriesPage, TrajectoriesSummary } from '@/contract/trajectory-list';
import { saveFile } from '@/components/export/save-file';
import { useKeyListener } from '@/components/ui/key-map';
import { AllTrajectoriesScreen } from './trajectories-screen';
import { aListed } from './trajectory-factory';

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

vi.mock('@/components/export/save-file', () => ({ saveFile: vi.fn() }));

/** What the server has; it answers a hundred at a time. */
let stored: ListedTrajectory[];
let summary: TrajectoriesSummary;
let asked: URL[];

beforeEach(() => {
  window.history.replaceState(null, '', '/trajectories');
  const replaceState = window.history.replaceState.bind(window.history);
  vi.spyOn(window.history, 'replaceState').mockImplementation((...change) => {
    replaceState(...change);
    for (const watcher of urlWatchers) watcher();
  });
  stored = Array.from({ length: 150 }, (_, index) => aListed(String(index), { goal: `goal ${index}` }));
  summary = { total: 150, isLowerBound: false, unindexedTurns: 0 };
  asked = [];
  vi.stubGlobal('fetch', (address: string) => {
    const url = new URL(address, 'http://here');
    asked.push(url);
    return Promise.resolve(Response.json(answer(url)));
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  push.mockReset();
});

function answer(url: URL): unknown {
  if (url.pathname.endsWith('/summary')) return summary;
  if (url.pathname.endsWith('/filters')) return { steps: [], taskTypes: ['goto'], flags: ['loop'] };
  const start = Number(url.searchParams.get('after') ?? 0);
  const trajectories = url.searchParams.has('success') ? [] : stored.slice(start, start + 100);
  const next = start + 100 < stored.length && trajectories.length > 0 ? String(start + 100) : null;
  return { trajectories, groups: [], next } satisfies TrajectoriesPage;
}

function Page() {
  useKeyListener();
  return <AllTrajectoriesScreen />;
}

async function show(search = ''): Promise<void> {
  window.history.replaceState(null, '', `/trajectories${search}`);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <Page />
    </QueryClientProvider>,
  );
  await act(() => Promise.resolve());
}

function textOf(blob = new Blob()): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsText(blob);
  });
}

const press = (key: string) => fireEvent.keyDown(document.body, { key });
const pages = () => asked.filter(({ pathname }) => pathname.endsWith('/trajectories'));

describe('trajectories of all runs', () => {
  it('are read a page at a time and opened by keyboard, the selected row in the URL', async () => {
    await show();
    await screen.findByText('goal 0');
    expect(screen.getByRole('status').textContent).toBe('150 trajectories');
    expect(pages().map((url) => url.searchParams.get('after'))).toEqual([null]);
    press('j');
    press('j');
    expect(new URLSearchParams(window.location.search).get('row')).toBe('1');
    press('Enter');
    expect(push).toHaveBeenCalledWith('/trajectories/1');
    fireEvent.click(screen.getByRole('button', { name: 'Read more' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Read more' })).toBeNull());
    expect(pages().map((url) => url.searchParams.get('after'))).toEqual([null, '100']);
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('150');
  });

  it('are searched once the typing pauses, and opened at the turn of the hit', async () => {
    summary = { total: 1000, isLowerBound: true, unindexedTurns: 1234 };
    stored = [aListed('7', { turnsCount: 3, hit: { turn: 1, snippet: 'a red door', source: 'reply' } })];
    await show();
    const box = await screen.findByRole('searchbox', { name: 'Words within one turn' });
    press('/');
    expect(document.activeElement).toBe(box);
    fireEvent.change(box, { target: { value: 'do' } });
    fireEvent.change(box, { target: { value: 'door' } });
    await waitFor(() => expect(pages().at(-1)?.searchParams.get('text')).toBe('door'));
    expect(pages().some((url) => url.searchParams.get('text') === 'do')).toBe(false);
    await waitFor(() =>
      expect(screen.getByRole('status').textContent).toBe(
        'more than 1,000 trajectories · 1,234 turns not indexed yet',
      ),
    );
    fireEvent.keyDown(box, { key: 'Escape' });
    press('j');
    press('Enter');
    expect(push).toHaveBeenCalledWith('/trajectories/7?t=2');
  });

  it.each(['?!', '!!!', '""', '😀'])(
    'say so where a text has no word to search for, and search for nothing: %s',
    async (text) => {
      await show(`?text=${encodeURIComponent(text)}`);
      await screen.findByText('goal 0');
      expect(screen.getByText(/Nothing to search for/).textContent).toContain(`in “${text}”`);
      expect(pages().every((url) => !url.searchParams.has('text'))).toBe(true);
    },
  );

  it('name the filters that leave nothing, and drop one at a click', async () => {
    await show('?success=true&phase=probe');
    await screen.findByText('No trajectory matches phase probe, succeeded.');
    fireEvent.click(screen.getByRole('button', { name: 'Drop succeeded' }));
    await screen.findByText('goal 0');
    expect(window.location.search).toBe('?phase=probe');
  });

  it('can be chosen by a flag that no row read so far bears', async () => {
    await show();
    await screen.findByText('goal 0');
    fireEvent.change(screen.getByRole('combobox', { name: 'Flag' }), { target: { value: 'loop' } });
    await waitFor(() => expect(pages().at(-1)?.searchParams.get('flag')).toBe('loop'));
  });

  it('are exported as far as they were read, with the filters that chose them', async () => {
    await show('?phase=probe');
    await screen.findByText('goal 0');
    expect(screen.getByText('100 of 150 read; an export holds those')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Export' }));
    fireEvent.click(screen.getByRole('menuitem', { name: 'JSON' }));
    const [name, blob] = vi.mocked(saveFile).mock.calls[0] ?? [];
    expect(name).toBe('trajectories-of-all-runs.json');
    expect(JSON.parse(await textOf(blob))).toMatchObject({
      title: 'Trajectories of all runs',
      filters: { 'filter phase': 'probe', rows: '100 of 150 that match' },
    });
  });

  it('say so where the row of the address was not read, and lead to its trajectory', async () => {
    await show('?row=149');
    await screen.findByText('goal 0');
    expect(screen.getByText(/trajectory 149, is not among the 100 rows/).textContent).toContain(
      'read so far',
    );
    expect(screen.getByRole('link', { name: 'Open trajectory 149' }).getAttribute('href')).toBe(
      '/trajectories/149',
    );
    fireEvent.click(screen.getByRole('button', { name: 'Read more' }));
    await waitFor(() => expect(screen.queryByText(/is not among/)).toBeNull());
  });

  it.each([
    ['9999', /trajectory 9999, is not among the 150 rows that match/],
    ['../runs', /The row of the address is no trajectory/],
  ])('say so where the row %s of the address is none of them', async (row, words) => {
    await show(`?row=${encodeURIComponent(row)}`);
    await screen.findByText('goal 0');
    fireEvent.click(screen.getByRole('button', { name: 'Read more' }));
    expect(await screen.findByText(words)).toBeTruthy();
  });

  it('leave out what is no filter and say so', async () => {
    await show('?minTurns=few');
    await screen.findByText('goal 0');
    expect(screen.getByText('Not a filter, so left out: minTurns=few')).toBeTruthy();
    expect(screen.getByRole('textbox', { name: 'Turns, least' })).toHaveProperty('value', 'few');
  });

  it('leave out a task type longer than any filter, named by its beginning', async () => {
    await show(`?taskType=${'x'.repeat(3000)}`);
    await screen.findByText('goal 0');
    expect(
      screen.getByText(`Not a filter, so left out: taskType=${'x'.repeat(60)}… (3000 characters)`),
    ).toBeTruthy();
  });
});
