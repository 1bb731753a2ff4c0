import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ErrorBody, ErrorCode } from '@/contract/errors';
import type { Report, ReportChange } from '@/contract/report';
import { ReportScreen } from './report-screen';
import { ReportsScreen } from './reports-screen';

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
/** Why the server refuses a change that is of its revision; null = it takes it. */
let refusal: string | null;
/** Until it is there, no change is answered. */
let answered: Promise<void>;
beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  sent = [];
  refusal = null;
  answered = Promise.resolve();
  stored = {
    id: '3',
    title: 'Findings',
    blocks: [{ id: 'b1', kind: 'text', text: 'It **holds**.' }],
    revision: 4,
    createdAt: 1,
    updatedAt: 1,
  };
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (init?.method === 'DELETE') return Response.json({ reportId: '3' });
    if (init?.method !== 'PUT') return Response.json(url.endsWith('/reports') ? [] : stored);
    const change = JSON.parse(String(init.body)) as ReportChange;
    sent.push(change);
    await answered;
    if (change.revision !== stored.revision) return refused('conflict', 'changed elsewhere', 409);
    if (refusal !== null) return refused('invalid_input', refusal, 422);
    stored = { ...stored, ...change, revision: stored.revision + 1 };
    return Response.json(stored);
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function refused(code: ErrorCode, message: string, status: number): Response {
  return Response.json({ error: { code, message, issues: [] } } satisfies ErrorBody, { status });
}

async function show(search = '') {
  urlState.search = search;
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const page = (shown: ReactNode) => <QueryClientProvider client={client}>{shown}</QueryClientProvider>;
  const { rerender } = render(page(<ReportScreen reportId="3" />));
  await screen.findByRole('heading', { level: 1, name: 'Findings' });
  return {
    client,
    /** Follows a link to the list of reports. */
    leave: () => rerender(page(<ReportsScreen />)),
    comeBack: () => rerender(page(<ReportScreen reportId="3" />)),
  };
}
/** Whether the browser asks before the tab is closed. */
function asksBeforeClosing(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
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

const fieldText = () => (screen.getByLabelText('Text') as HTMLTextAreaElement).value;

describe('text that is not stored yet', () => {
  it('is stored when the reader leaves by a link before the pause is over', async () => {
    const { leave, comeBack } = await show('edit=1');
    type('Typed at the last moment.');
    leave();
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(sent).toMatchObject([{ revision: 4, blocks: [{ text: 'Typed at the last moment.' }] }]);
    expect(asksBeforeClosing()).toBe(false);
    comeBack();
    expect(fieldText()).toBe('Typed at the last moment.');
    await pause();
    expect(sent).toHaveLength(1);
  });

  it('is there for a reader who comes back while it is being stored, and does not conflict with itself', async () => {
    let answer = () => undefined as void;
    answered = new Promise((resolve) => (answer = resolve));
    const { leave, comeBack } = await show('edit=1');
    type('One.');
    leave();
    comeBack();
    expect(fieldText()).toBe('One.');
    type('One. Two.');
    answer();
    await pause();
    await pause();
    expect(sent.map(({ revision }) => revision)).toEqual([4, 5]);
    expect(stored.blocks).toMatchObject([{ text: 'One. Two.' }]);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('and was refused stays, with the reason, wherever the reader goes, until it is saved', async () => {
    refusal = 'the report cites what there is not: run r-9999';
    const { leave, comeBack } = await show('edit=1');
    type('See [it](/runs/r-9999).');
    await pause();
    expect(screen.getByRole('alert').textContent).toContain(refusal);
    leave();
    await pause();
    const note = await screen.findByRole('alert');
    expect(note.textContent).toContain(`What you wrote in Findings is not saved: ${refusal}`);
    expect(within(note).getByRole('link').getAttribute('href')).toBe('/reports/3?edit=1');
    expect(asksBeforeClosing()).toBe(true);
    comeBack();
    expect(fieldText()).toBe('See [it](/runs/r-9999).');
    expect(screen.getByRole('alert').textContent).toContain(refusal);
    refusal = null;
    fireEvent.click(screen.getByRole('button', { name: 'Save again' }));
    await pause();
    expect(stored.blocks).toMatchObject([{ text: 'See [it](/runs/r-9999).' }]);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(asksBeforeClosing()).toBe(false);
  });

  it('and was changed elsewhere meanwhile is kept, and the reader who left is told', async () => {
    const { leave, comeBack } = await show('edit=1');
    stored = { ...stored, revision: 9, blocks: [{ id: 'b1', kind: 'text', text: 'Theirs.' }] };
    type('Mine.');
    leave();
    await pause();
    expect((await screen.findByRole('alert')).textContent).toContain(
      'is not saved: it was changed elsewhere',
    );
    comeBack();
    expect(fieldText()).toBe('Mine.');
    expect(screen.getByRole('button', { name: 'Keep mine, over it' })).toBeTruthy();
  });

  it('is given up with the report that is deleted', async () => {
    refusal = 'no';
    const { leave } = await show('edit=1');
    type('Refused.');
    await pause();
    fireEvent.click(screen.getByRole('button', { name: 'Delete the report…' }));
    fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
    await pause();
    const before = sent.length;
    leave();
    await pause();
    expect(sent).toHaveLength(before);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(asksBeforeClosing()).toBe(false);
  });
});

it('What another tab stored is shown where nothing was typed here', async () => {
  const { client } = await show('edit=1');
  stored = { ...stored, revision: 9, blocks: [{ id: 'b1', kind: 'text', text: 'Theirs.' }] };
  await act(() => client.invalidateQueries());
  await pause();
  expect(fieldText()).toBe('Theirs.');
  type('Theirs and mine.');
  await pause();
  expect(sent).toMatchObject([{ revision: 9, blocks: [{ text: 'Theirs and mine.' }] }]);
});
