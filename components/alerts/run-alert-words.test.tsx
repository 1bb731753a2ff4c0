import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { anAlert } from './fixtures';
import { OpenAlertsProvider, RunAlertWords } from './run-alert-words';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('names the first two detectors with open alerts under a run’s name and counts the others; a quiet run has no words', async () => {
  const alerts = [
    anAlert({ id: '1', detector: 'format_collapse', step: 60, lastStep: 90 }),
    anAlert({ id: '4', detector: 'format_collapse', step: 20, lastStep: 20, isOver: true }),
    anAlert({ id: '2' }),
    anAlert({ id: '3', detector: 'entropy_change', severity: 'notice' }),
  ];
  const answer = vi.fn((_url: string) => Promise.resolve(new Response(JSON.stringify(alerts))));
  vi.stubGlobal('fetch', answer);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <OpenAlertsProvider runIds={['r-0001', 'r-0002']}>
        <p data-testid="fired">
          <RunAlertWords runId="r-0001" />
        </p>
        <p data-testid="quiet">
          <RunAlertWords runId="r-0002" />
        </p>
      </OpenAlertsProvider>
    </QueryClientProvider>,
  );
  const words = await screen.findByText(/Format collapse/);
  expect(words.title).toContain('Format collapse, since step 60\nFormat collapse, step 20');
  expect(answer.mock.calls[0]?.[0]).toBe('/api/v1/alerts?run=r-0001&run=r-0002');
  expect(screen.getByTestId('fired').textContent).toBe(
    ' · Format collapse ×2; “None available” loop and 1 more',
  );
  expect(screen.getByTestId('quiet').textContent).toBe('');
});
