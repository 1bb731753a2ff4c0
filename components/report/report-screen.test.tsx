import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Report, ReportChange } from '@/contract/report';
import { ReportScreen } from './report-screen';

// uPlot reads the window's media as it is loaded, and draws on a canvas, which this window has not.
vi.mock('@/components/charts/line-chart', () => ({ LineChart: () => null }));

const urlState = vi.hoisted(() => ({ search: '' }));
vi.mock('next/navigation', () => ({
  useSearchParams: () => new URLSearchParams(urlState.search),
  useRouter: () => ({ push: () => undefined }),
}));

/** What the server has, and every change that it was sent. */
let stored: Report;
let sent: ReportChange[];
beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  sent = [];
  stored = {
    id: '3',
    title: 'Findings',
    blocks: [{ id: 'b1', kind: 'text', text: 'It **holds**.' }],
    revision: 4,
    createdAt: 1,
    updatedAt: 1,
  };
  vi.stubGlobal('fetch', (_url: string, init?: RequestInit) => {
    if (init?.method !== 'PUT') return Promise.resolve(Response.json(stored));
    const change = JSON.parse(String(init.body)) as ReportChange;
    sent.push(change);
    if (change.revision !== stored.revision)
      return Promise.resolve(
        Response.json(
          { error: { code: 'conflict', message: 'changed elsewhere', issues: [] } },
          { status: 409 },
        ),
      );
    stored = { ...stored, ...change, revision: stored.revision + 1 };
    return Promise.resolve(Response.json(stored));
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function show(search = '') {
  urlState.search = search;
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <ReportScreen reportId="3" />
    </QueryClientProvider>,
  );
  await screen.findByRole('heading', { level: 1, name: 'Findings' });
}
const pause = () => act(() => vi.advanceTimersByTimeAsync(1000));
const type = (text: string) => fireEvent.change(screen.getByLabelText('Text'), { target: { value: text } });

describe('a report', () => {
  it('reads as text, without fields', async () => {
    await show();
    expect(screen.getByText('holds').tagName).toBe('STRONG');
    expect(screen.queryByLabelText('Text')).toBeNull();
  });

  it('is stored after a pause in typing, once, against the revision it was made to', async () => {
    await show('edit=1');
    type('It h');
    type('It holds still.');
    expect(screen.getByText('Not saved yet')).toBeDefined();
    await pause();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ revision: 4, blocks: [{ text: 'It holds still.' }] });
    expect(screen.getByText(/^Saved /)).toBeDefined();
    type('More.');
    await pause();
    expect(sent[1]).toMatchObject({ revision: 5, blocks: [{ text: 'More.' }] });
  });

  it('that was changed elsewhere is not stored until a person says whose change is kept', async () => {
    await show('edit=1');
    stored = { ...stored, revision: 9, blocks: [{ id: 'b1', kind: 'text', text: 'Theirs.' }] };
    type('Mine.');
    await pause();
    const alert = screen.getByRole('alert');
    expect(alert.textContent).toContain('changed elsewhere');
    type('Mine, longer.');
    await pause();
    expect(sent).toHaveLength(1);
    fireEvent.click(within(alert).getByRole('button', { name: 'Keep mine, over it' }));
    await pause();
    expect(sent[1]).toMatchObject({ revision: 9, blocks: [{ text: 'Mine, longer.' }] });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('takes the other change where it is asked to', async () => {
    await show('edit=1');
    stored = { ...stored, revision: 9, blocks: [{ id: 'b1', kind: 'text', text: 'Theirs.' }] };
    type('Mine.');
    await pause();
    fireEvent.click(screen.getByRole('button', { name: 'Take the other change' }));
    await pause();
    expect((screen.getByLabelText('Text') as HTMLTextAreaElement).value).toBe('Theirs.');
    expect(sent).toHaveLength(1);
  });

  it('gets a block with the caret in it, and gives back one that was removed', async () => {
    await show('edit=1');
    fireEvent.click(screen.getByRole('button', { name: 'Pair' }));
    expect(document.activeElement).toBe(screen.getByLabelText('Address of the pair'));
    expect(screen.getByText('No pair named.')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Remove Text' }));
    expect(screen.queryByLabelText('Text')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Put it back' }));
    expect((screen.getByLabelText('Text') as HTMLTextAreaElement).value).toBe('It **holds**.');
    await pause();
    expect(sent.at(-1)?.blocks.map(({ kind }) => kind)).toEqual(['text', 'pair']);
  });
});
