import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { RescoredRewards } from '@/contract/rewards';
import { aRunDetail } from '@/components/run/fixtures';
import { RewardsScreen } from './rewards-screen';

const address = vi.hoisted(() => ({ search: '' }));
vi.mock('next/navigation', () => ({ useSearchParams: () => new URLSearchParams(address.search) }));

const asked: string[] = [];
function serve(rewards: RescoredRewards): void {
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url);
    return Promise.resolve(new Response(JSON.stringify(url.includes('/rewards') ? rewards : aRunDetail())));
  });
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  asked.length = 0;
});

const formula = {
  outcome: 'won',
  scale: 10,
  invalidActionPenalty: 0,
  formatPenalty: 0,
  formatReward: 0,
  over: 'trajectories',
} as const;
const rescored = {
  n: 8,
  errors: 1,
  unscored: 0,
  old: { n: 8, mean: 0.25, groups: 2, degenerateGroups: 1 },
  new: { n: 8, mean: 2.5, groups: 2, degenerateGroups: 2 },
};

function show(search: string, rewards: Partial<RescoredRewards>): void {
  address.search = search;
  serve({ own: null, formula, total: rescored, steps: [], trajectories: [], ...rewards });
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RewardsScreen runId="r-0001" />
    </QueryClientProvider>,
  );
}

it('shows the recorded and the new mean side by side, with n and the groups without variance', async () => {
  show('outcome=won&scale=10', { steps: [{ step: 3, ...rescored }] });
  const table = within(await screen.findByRole('table'));
  const [, all] = table.getAllByRole('row');
  expect(all?.textContent).toBe('all810.2502.500+2.2501/2 50.02/2 100.0');
  expect(asked).toContain('/api/v1/runs/r-0001/rewards?outcome=won&scale=10');
});

it('lists each trajectory of a step that is chosen', async () => {
  const trajectory = { id: '7', taskId: 'Open:1', group: 0, sample: 1, success: true, reward: 0.9 };
  show('step=3', {
    steps: [{ step: 3, ...rescored }],
    trajectories: [{ ...trajectory, old: null, new: 10 }],
  });
  const link = await screen.findByRole('link', { name: 'Open:1' });
  expect(link.closest('tr')?.textContent).toBe('01Open:1won0.900n/a10.000');
  expect(asked).toContain('/api/v1/runs/r-0001/rewards?fromStep=3&toStep=3');
});

it('says what would be stored where nothing is', async () => {
  show('', {});
  expect(await screen.findByText('No training trajectory is stored.')).toBeTruthy();
});
