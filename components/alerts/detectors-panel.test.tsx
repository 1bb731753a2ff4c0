import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { RunAlerts } from '@/contract/alert';
import { Detectors } from './detectors-panel';
import { anAlert, someAlerts } from './fixtures';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(alerts: RunAlerts) {
  return render(
    <QueryClientProvider client={new QueryClient()}>
      <Detectors runId="r-0001" alerts={alerts} />
    </QueryClientProvider>,
  );
}

function cardOf(title: string): string | null {
  return screen.getByText(title, { selector: 'li *' }).closest('li')?.textContent ?? null;
}

it('shows every detector: quiet with what it reads, or not enough data with what it needs', () => {
  show(someAlerts([], ['format_collapse']));
  expect(screen.getAllByRole('listitem')).toHaveLength(14);
  expect(cardOf('Format collapse')).toBe('Format collapsequietformat_collapse is low');
  expect(cardOf('Entropy')).toBe('Entropynot enough dataneeds 25 steps of actor/entropy');
  expect(screen.queryByRole('table')).toBeNull();
});

it('says when a detector fired, links its evidence to the turn, and lists what is acknowledged last', () => {
  const taken = anAlert({
    id: '2',
    detector: 'entropy_change',
    step: 60,
    lastStep: 69,
    isOver: true,
    acknowledgedAt: 5,
  });
  show(someAlerts([taken, anAlert()], ['entropy_change']));
  expect(cardOf('“None available” loop')).toContain('step 31');
  expect(cardOf('Entropy')).toContain('acknowledged');
  const [, first, second] = screen.getAllByRole('row');
  if (!first || !second) throw new Error('two rows were shown');
  expect(within(first).getByRole('link', { name: 'trajectory 77, turn 5' }).getAttribute('href')).toBe(
    '/trajectories/77?t=5',
  );
  expect(within(second).getByText('steps 60 to 69')).toBeTruthy();
  expect(within(second).getByRole('button', { name: 'Reopen: Entropy, steps 60 to 69' })).toBeTruthy();
});

it('takes note of an alert by a click, and says where that failed', async () => {
  const answer = vi.fn(() =>
    Promise.resolve(
      new Response(
        JSON.stringify({ error: { code: 'not_found', message: 'no alert has the id 1', issues: [] } }),
        {
          status: 404,
        },
      ),
    ),
  );
  vi.stubGlobal('fetch', answer);
  show(someAlerts([anAlert()]));
  fireEvent.click(screen.getByRole('button', { name: /^Acknowledge/ }));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('no alert has the id 1'));
  expect(answer).toHaveBeenCalledWith('/api/v1/alerts/1', expect.objectContaining({ method: 'PATCH' }));
});

it('does not call quiet what the detectors have not read', () => {
  show({ position: null, readings: [], alerts: [] });
  expect(screen.queryByText('quiet')).toBeNull();
  expect(screen.getByText(/have not read this run yet/)).toBeTruthy();
});
