import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunDetail } from '@/contract/api';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { RunRules } from '@/contract/recipes/run-rules';
import { emptyRunView, type RunView } from '@/contract/run-view';
import { ContinueDialog, continueEffect } from './continue-dialog';

const view: RunView = {
  ...emptyRunView('r-0001'),
  status: 'stopped',
  attempt: 1,
  step: 7,
  checkpoints: [
    { step: 5, complete: true },
    { step: 7, complete: false },
  ],
};

let sent: unknown = null;
beforeEach(() => {
  sent = null;
  vi.stubGlobal('fetch', (_url: string, init?: RequestInit) => {
    sent = JSON.parse(String(init?.body));
    return Promise.resolve(Response.json({ runId: 'r-0001' }));
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(rules: RunRules | null, recipe = 'grpo') {
  const detail = {
    run: { id: 'r-0001', name: 'a run', recipe },
    config: { ...GRPO_PRESETS.verify, steps: 10, rules },
    view,
  } as RunDetail;
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ContinueDialog detail={detail} open onOpenChange={() => undefined} />
    </QueryClientProvider>,
  );
}

const confirm = () => screen.getByRole('button', { name: 'Continue the run' });

describe('continuing a run', () => {
  it('names the checkpoint that it goes on from and the steps that are gone through again', () => {
    expect(continueEffect(view)).toContain(
      'Attempt 2 waits in the queue and goes on from the checkpoint of step 5. Steps 6 to 7 are gone through again.',
    );
    expect(continueEffect({ ...view, step: 5 })).not.toContain('gone through again');
  });

  it('sends the steps, and leaves the rules as they are', async () => {
    open(null);
    expect(screen.queryByLabelText(/Without its rules/)).toBeNull();
    fireEvent.change(screen.getByLabelText('Steps'), { target: { value: '20' } });
    fireEvent.click(confirm());
    await waitFor(() => expect(sent).toEqual({ steps: 20 }));
  });

  it('can leave the rules out that ended the run', async () => {
    open(RunRules.parse({}));
    fireEvent.click(screen.getByLabelText(/Without its rules/));
    fireEvent.click(confirm());
    await waitFor(() => expect(sent).toEqual({ steps: 10, rules: null }));
  });

  it('asks for no steps of an evaluation, which goes on from what is stored', async () => {
    open(null, 'checkpoint-evaluation');
    expect(screen.queryByLabelText('Steps')).toBeNull();
    expect(screen.getByText(/^Attempt 2 waits in the queue and plays what is not stored yet/)).toBeDefined();
    fireEvent.click(confirm());
    await waitFor(() => expect(sent).toEqual({}));
  });

  it('does not send fewer steps than the run has', () => {
    open(null);
    fireEvent.change(screen.getByLabelText('Steps'), { target: { value: '9' } });
    expect(screen.getByText('expected a whole number, 10 or more')).toBeDefined();
    expect(confirm()).toHaveProperty('disabled', true);
  });
});
