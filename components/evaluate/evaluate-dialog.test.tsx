import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { aRunDetail } from '@/components/run/fixtures';
import { EvaluateDialog } from './evaluate-dialog';

const pushed = vi.hoisted(() => vi.fn());
vi.mock('next/navigation', () => ({ useRouter: () => ({ push: pushed }) }));

let sent: { url: string; body: unknown } | null = null;
let answer: () => Response;
beforeEach(() => {
  sent = null;
  answer = () => Response.json({ runId: 'r-0009' }, { status: 201 });
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    sent = { url, body: JSON.parse(String(init?.body)) };
    return Promise.resolve(answer());
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  pushed.mockReset();
});

function open(steps: readonly number[]) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <EvaluateDialog
        detail={aRunDetail()}
        source={GRPO_PRESETS.verify}
        steps={steps}
        onClose={() => undefined}
      />
    </QueryClientProvider>,
  );
}

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const evaluate = () => screen.getByRole('button', { name: 'Evaluate' });

describe('asking for an evaluation', () => {
  it('sends the settings and goes to the run that evaluates', async () => {
    open([5, 10]);
    expect(screen.getByRole('heading', { name: 'Evaluate 2 checkpoints' })).toBeDefined();
    type('Tasks of valid_seen', '20');
    type('Tasks of valid_unseen', '');
    type('Seeds', '3, 4');
    type('Temperature', '0.7');
    fireEvent.click(evaluate());
    await waitFor(() => expect(pushed).toHaveBeenCalledWith('/runs/r-0009'));
    expect(sent?.url).toContain('/evaluations');
    expect(sent?.body).toMatchObject({
      steps: [5, 10],
      splits: [{ split: 'valid_seen', tasks: 20 }],
      seeds: [3, 4],
      temperature: 0.7,
    });
  });

  it('takes the untrained model in, and says how much is played', () => {
    open([5]);
    type('Tasks of valid_seen', '20');
    type('Tasks of valid_unseen', '');
    if (screen.getByLabelText<HTMLInputElement>('sampled').checked)
      fireEvent.click(screen.getByLabelText('sampled'));
    if (!screen.getByLabelText<HTMLInputElement>('greedy').checked)
      fireEvent.click(screen.getByLabelText('greedy'));
    expect(screen.getByText('20 trajectories in 1 evaluation')).toBeDefined();
    fireEvent.click(screen.getByLabelText(/untrained model too/));
    expect(screen.getByText('40 trajectories in 2 evaluations')).toBeDefined();
  });

  it('sends nothing while a field is wrong, and says so there', () => {
    open([5]);
    type('Top-p', '2');
    expect(screen.getByLabelText('Top-p').getAttribute('aria-invalid')).toBe('true');
    expect(evaluate()).toHaveProperty('disabled', true);
  });

  it('shows the server’s refusal in its own words', async () => {
    answer = () =>
      Response.json(
        { error: { code: 'invalid_input', message: 'no complete checkpoint of step 5', issues: [] } },
        { status: 400 },
      );
    open([5]);
    fireEvent.click(evaluate());
    expect((await screen.findByRole('alert')).textContent).toBe('no complete checkpoint of step 5');
    expect(pushed).not.toHaveBeenCalled();
  });
});
