import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { SCAFFOLDS } from '@/contract/scaffolds';
import { LaunchForm } from './launch-form';

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

/** Answers of the server by path; a launch's body is kept. */
let launchAnswer: { status: number; body: unknown };
let sent: { name: string; preset: string; config: typeof GRPO_PRESETS.demo } | null = null;

beforeEach(() => {
  window.history.replaceState(null, '', '/launch');
  const replaceState = window.history.replaceState.bind(window.history);
  vi.spyOn(window.history, 'replaceState').mockImplementation((...change) => {
    replaceState(...change);
    for (const watcher of urlWatchers) watcher();
  });
  launchAnswer = { status: 201, body: { runId: 'r-0042' } };
  sent = null;
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    if (init?.method !== 'POST') return Promise.resolve(Response.json([]));
    sent = JSON.parse(String(init.body));
    return Promise.resolve(Response.json(launchAnswer.body, { status: launchAnswer.status }));
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  push.mockReset();
});

const open = () =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <LaunchForm cloned={null} />
    </QueryClientProvider>,
  );
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label, { selector: 'input, select' }), { target: { value } });

describe('launch form', () => {
  it('says what is wrong beside the field and does not launch', () => {
    open();
    type('Learning rate', '7');
    const input = screen.getByLabelText('Learning rate');
    const described = (input.getAttribute('aria-describedby') ?? '').split(' ')[0] ?? '';
    expect(document.getElementById(described)?.textContent).toContain('expected 1 or less, got 7');
    expect(screen.getByText(/fix 1 problem first/)).toHaveProperty('disabled', true);
    fireEvent.submit(screen.getByRole('form'));
    expect(sent).toBeNull();
  });

  it('keeps what was typed in the URL and marks it against the preset', () => {
    const presetSteps = GRPO_PRESETS.demo.steps;
    open();
    type('Steps', '60');
    expect(new URLSearchParams(window.location.search).get('set.steps')).toBe('60');
    expect(screen.getByText(`was ${presetSteps}`)).toBeDefined();
    type('Steps', String(presetSteps));
    expect(window.location.search).not.toContain('set.steps');
    expect(screen.queryByText(`was ${presetSteps}`)).toBeNull();
  });

  it('sends the resolved config and goes to the run', async () => {
    open();
    type('Name', 'my run');
    type('Learning rate', '2e-4');
    fireEvent.submit(screen.getByRole('form'));
    await waitFor(() => expect(push).toHaveBeenCalledWith('/runs/r-0042'));
    expect(sent).toMatchObject({
      name: 'my run',
      preset: 'demo',
      config: { update: { learningRate: 2e-4 } },
    });
    expect(sent?.config.rollout).toEqual(GRPO_PRESETS.demo.rollout);
  });

  it('shows a variant’s own value where another had text in a setting of the same name', () => {
    open();
    type('Scaffold', 'strata');
    type('History turns', '3');
    type('Scaffold', 'verl-agent');
    const expected = String(SCAFFOLDS['verl-agent'].defaults.historyTurns);
    expect(screen.getByLabelText('History turns')).toHaveProperty('value', expected);
    type('Scaffold', 'strata');
    expect(screen.getByLabelText('History turns')).toHaveProperty('value', '3');
  });

  it('shows the settings of the chosen scaffold, and sends them', async () => {
    open();
    type('Scaffold', 'strata');
    type('History turns', '3');
    expect(screen.queryByLabelText('Recent actions')).toBeNull();
    expect(window.location.search).toBe('?set.scaffold.id=strata&set.scaffold.historyTurns=3');
    fireEvent.submit(screen.getByRole('form'));
    await waitFor(() => expect(push).toHaveBeenCalledOnce());
    expect(sent?.config.scaffold).toEqual({ ...SCAFFOLDS.strata.defaults, historyTurns: 3 });
    type('Scaffold', 'recent-actions');
    expect(screen.getByLabelText('Recent actions')).toBeDefined();
    expect(window.location.search).toBe('?kept.scaffold.strata.historyTurns=3');
  });

  it('asks for every price once the run is to have some, and sends them', async () => {
    open();
    type('Cost', 'set');
    expect(screen.getByText(/fix 4 problems first/)).toBeDefined();
    type('Currency', 'USD');
    type('Prefill per million', '0.07');
    type('Sample per million', '0.22');
    type('Train per million', '0.22');
    fireEvent.submit(screen.getByRole('form'));
    await waitFor(() => expect(push).toHaveBeenCalledOnce());
    expect(sent?.config.cost).toEqual({
      currency: 'USD',
      prefillPerMillion: 0.07,
      samplePerMillion: 0.22,
      trainPerMillion: 0.22,
    });
  });

  it('puts the server’s refusal beside the field it names and loses nothing', async () => {
    const message = 'folder models/none does not exist';
    launchAnswer = {
      status: 422,
      body: { error: { code: 'invalid_input', message, issues: [{ path: 'config.engine.model', message }] } },
    };
    open();
    type('Model', 'models/none');
    fireEvent.submit(screen.getByRole('form'));
    const section = within(screen.getByRole('region', { name: 'Engine' }));
    await waitFor(() => expect(section.getByText(message)).toBeDefined());
    expect(screen.getByLabelText('Model')).toHaveProperty('value', 'models/none');
    type('Model', 'models/babyai-tiny');
    expect(section.queryByText(message)).toBeNull();
  });
});
