import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ActionScoresAnswer } from '@/contract/action-scores';
import type { Fork } from '@/contract/forks';
import { aSummary } from '@/components/trajectory/trajectory-factory';
import { ActionScoresPanel } from './action-scores-panel';
import { ForkPanel } from './fork-panel';

const A = { runId: 'r-0001', step: 0 };
const B = { runId: 'r-0001', step: 40 };

const asked = vi.fn<(url: string, body: unknown) => void>();

/** The server answers every GET with `answer` and takes every POST. */
function serve(answer: unknown): void {
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    if (init?.method === 'POST') asked(url, JSON.parse(String(init.body)));
    return Promise.resolve(new Response(JSON.stringify(answer)));
  });
}

function show(element: React.ReactNode): void {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(<QueryClientProvider client={client}>{element}</QueryClientProvider>);
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  asked.mockClear();
});

function scored(checkpoint: typeof A, logprob: number): ActionScoresAnswer['scores'][number] {
  const action = { part: 'action' as const, logprob, tokens: 2 };
  const turns = [{ turn: 3, action, reply: { logprob: -4.2, tokens: 12 } }];
  return { trajectoryId: '7', checkpoint, refusal: null, turns };
}

function answer(changes: Partial<ActionScoresAnswer> = {}): ActionScoresAnswer {
  const sides = [
    { trajectoryId: '7', checkpoint: A, obstacle: null },
    { trajectoryId: '8', checkpoint: B, obstacle: null },
  ];
  return { sides, scores: [], requests: [], ...changes };
}

describe('an action under both checkpoints', () => {
  const panel = <ActionScoresPanel ids={['7', '8']} of="a" turn={3} />;

  it('says how it moved from A to B, and what exactly was scored', async () => {
    serve(answer({ scores: [scored(A, Math.log(0.03)), scored(B, Math.log(0.81))] }));
    show(panel);
    const moved = await screen.findByText(/The action moved from/);
    expect(moved.textContent).toBe('The action moved from p = .03 to p = .81.');
    expect(screen.getByText(/the 2 tokens that spell the action, given the recorded prompt/)).toBeTruthy();
    expect(screen.getByText(/under r-0001 step 40; whole reply −4.20 nats over 12 tokens/)).toBeTruthy();
  });

  it('asks for what is not scored', async () => {
    serve(answer());
    show(panel);
    fireEvent.click(await screen.findByRole('button', { name: 'Score these two' }));
    await vi.waitFor(() =>
      expect(asked).toHaveBeenCalledWith('/api/v1/action-scores', { trajectories: ['7', '8'] }),
    );
  });

  it('says n/a and why where no worker can load a checkpoint, and what a request waits for', async () => {
    const sides = [
      { trajectoryId: '7', checkpoint: A, obstacle: 'run r-0001 has no complete checkpoint of step 0' },
      { trajectoryId: '8', checkpoint: B, obstacle: null },
    ];
    const reason = 'Waiting: worker one is busy with run r-0009';
    const requests = [{ runId: 'r-0010', checkpoint: B, status: 'queued' as const, reason }];
    serve(answer({ sides, requests }));
    show(panel);
    expect(await screen.findByText(/n\/a: no worker can load r-0001 step 0. run r-0001 has no/)).toBeTruthy();
    expect(screen.getByText(reason)).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('forks of a turn', () => {
  const panel = (
    <ForkPanel
      trajectoryId="7"
      turn={3}
      sides={[
        { name: 'a', checkpoint: A },
        { name: 'b', checkpoint: B },
      ]}
    />
  );
  const fork = (changes: Partial<Fork>): Fork => ({
    runId: 'r-0011',
    checkpoint: B,
    status: 'finished',
    reason: null,
    trajectoryId: '7',
    turn: 3,
    samples: 2,
    temperature: 1,
    trajectories: [aSummary('70', { success: true }), aSummary('71', { success: false, sample: 1 })],
    ...changes,
  });

  it('count what was won of what was played, with the interval, and open each', async () => {
    serve([fork({}), fork({ runId: 'r-0012', turn: 9 })]);
    show(panel);
    expect(await screen.findByText('1/2')).toBeTruthy();
    expect(screen.getByText(/2 of 2 played at temperature 1.00. Wilson 95 %./)).toBeTruthy();
    expect(screen.getByRole('link', { name: '✓1' }).getAttribute('href')).toBe('/trajectories/70');
    expect(screen.queryByText(/r-0012/)).toBeNull();
  });

  it('are asked for as often as stated, from both checkpoints', async () => {
    serve([]);
    show(panel);
    fireEvent.change(await screen.findByLabelText('How often'), { target: { value: '3' } });
    fireEvent.click(screen.getByRole('button', { name: 'times from A and from B' }));
    await vi.waitFor(() =>
      expect(asked).toHaveBeenCalledWith('/api/v1/forks', {
        trajectory: '7',
        turn: 3,
        checkpoints: [A, B],
        samples: 3,
      }),
    );
  });
});
