import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { MetricMark } from '@/contract/alert';
import { HiddenMetric } from './hidden-metric';
import { MarkMetricButton } from './mark-metric';
import { SeriesNotesProvider, useSeriesNotes } from './series-notes';
import { anAlert, someAlerts } from './fixtures';

vi.mock('next/navigation', () => ({ useSearchParams: () => new URLSearchParams(window.location.search) }));

const NAME = 'val-core/alfworld/pass@1';
let marks: MetricMark[];
const sent = vi.fn();

beforeEach(() => {
  marks = [];
  sent.mockClear();
  window.history.replaceState(null, '', '/runs/r-0001');
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (init.method !== undefined) sent(init.method, url, init.body);
    if (init.method === 'PUT') marks = [{ name: NAME, reason: '= 1.0 always', createdAt: 0 }];
    if (init.method === 'DELETE') marks = [];
    const alert = anAlert({
      message: 'pass@1 = 1 at all 3 points',
      evidence: [{ kind: 'series', name: NAME, step: 20 }],
    });
    const answer = url.includes('/alerts') ? someAlerts([alert]) : marks;
    return Promise.resolve(new Response(JSON.stringify(answer)));
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Chart() {
  const { mark, isShown, alerts } = useSeriesNotes(NAME);
  if (mark !== null && !isShown) return <HiddenMetric mark={mark} />;
  return (
    <>
      <p>{alerts.map(({ step }) => `flag at ${step}`).join()}</p>
      <MarkMetricButton name={NAME} />
    </>
  );
}

function show() {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SeriesNotesProvider runId="r-0001">
        <Chart />
      </SeriesNotesProvider>
    </QueryClientProvider>,
  );
}

it('flags a chart where a detector fired, and hides it once its metric is marked, with the reason', async () => {
  show();
  await screen.findByText('flag at 31');
  fireEvent.click(screen.getByRole('button', { name: `Mark ${NAME} as meaningless` }));
  expect(screen.getByText('Found: pass@1 = 1 at all 3 points')).toBeTruthy();
  const hide = screen.getByRole('button', { name: 'Hide it' });
  expect(hide).toHaveProperty('disabled', true);
  fireEvent.change(screen.getByLabelText(/Why it says nothing/), { target: { value: '= 1.0 always' } });
  fireEvent.click(hide);
  await screen.findByText('hidden: pass@1 = 1.0 always');
  expect(sent).toHaveBeenCalledWith(
    'PUT',
    '/api/v1/runs/r-0001/metric-marks',
    JSON.stringify({ name: NAME, reason: '= 1.0 always' }),
  );
});

it('shows a hidden metric on demand, in the address, and takes its mark away', async () => {
  marks = [{ name: NAME, reason: '= 1.0 always', createdAt: 0 }];
  show();
  fireEvent.click(await screen.findByRole('button', { name: 'Show' }));
  expect(new URLSearchParams(window.location.search).get('shown')).toBe(JSON.stringify([NAME]));
  window.history.replaceState(null, '', '/runs/r-0001');
  fireEvent.click(screen.getByRole('button', { name: 'Take the mark away' }));
  await waitFor(() => expect(screen.queryByText(/^hidden/)).toBeNull());
  expect(sent).toHaveBeenCalledWith(
    'DELETE',
    `/api/v1/runs/r-0001/metric-marks?name=${encodeURIComponent(NAME)}`,
    undefined,
  );
});
