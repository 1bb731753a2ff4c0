import { cleanup, render, screen, within } from '@testing-library/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SeriesSum } from '@/contract/api';
import type { TokenPrices } from '@/contract/cost';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { emptyRunView } from '@/contract/run-view';
import { CostPanel } from './cost-panel';
import { aRunDetail } from './fixtures';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const TOKENS: Record<string, number> = {
  'tokens/prefilled': 843_510_000,
  'tokens/reused': 120_000_000,
  'tokens/sampled': 14_280_000,
  'tokens/trained': 62_240_000,
};

/** The panel of a run at step 80 that was never evaluated; the server answers with `TOKENS`. */
async function show(cost: TokenPrices | null, repeated = 0) {
  renderPanel(cost, 80, TOKENS, repeated);
  return within(await screen.findByRole('table'));
}

function renderPanel(cost: TokenPrices | null, step: number, counted: Record<string, number>, repeated = 0) {
  vi.stubGlobal('fetch', (url: string) => {
    const names = new URL(url, 'http://here').searchParams.getAll('name');
    const sums = names.map((name): SeriesSum => {
      const tokens = counted[name];
      const count = tokens === undefined ? 0 : 80;
      return { name, sum: tokens ?? 0, overwritten: repeated, count, lastStep: 80, position: 1 };
    });
    return Promise.resolve(Response.json(sums));
  });
  const detail = aRunDetail({
    config: { ...GRPO_PRESETS.demo, cost },
    view: { ...emptyRunView('r-0001'), step },
  });
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <CostPanel detail={detail} />
    </QueryClientProvider>,
  );
}
const cellsOf = (table: Awaited<ReturnType<typeof show>>, name: string) =>
  within(table.getByRole('row', { name: new RegExp(`^${name}`) }))
    .getAllByRole('cell')
    .map((cell) => cell.textContent);

describe('tokens and cost of a run', () => {
  it('are a row a kind with the price that was used, and the total with its currency', async () => {
    const table = await show({
      currency: 'CNY',
      prefillPerMillion: 1.5,
      samplePerMillion: 4,
      trainPerMillion: 4.5,
    });
    expect(cellsOf(table, 'Prefill')).toEqual([
      'Prefill',
      '843.51',
      '0.00',
      '0.00',
      '843.51',
      '1.50',
      '1,265.27',
    ]);
    expect(cellsOf(table, 'Reused').slice(-2)).toEqual(['not charged', '0.00']);
    expect(cellsOf(table, 'Train').slice(-3)).toEqual(['62.24', '4.50', '280.08']);
    expect(cellsOf(table, 'Cost, CNY')).toEqual(['Cost, CNY', '1,602.47', '0.00', '0.00', '1,602.47']);
    expect(screen.getByText(/Reuse saved CNY 180.00/)).toBeDefined();
    expect(screen.getByText(/12.5% were reused/)).toBeDefined();
  });

  it('are tokens alone where the run has no prices, with the setting that gives them', async () => {
    const table = await show(null);
    expect(cellsOf(table, 'Sample')).toEqual(['Sample', '14.28', '0.00', '0.00', '14.28']);
    expect(table.queryByText(/Cost/)).toBeNull();
    expect(screen.getByText(/The run has no prices/)).toBeDefined();
  });

  it('say what of them a later attempt repeated', async () => {
    await show(null, 250_000);
    expect(
      screen.getByText(/3.00 million of these tokens are of steps that a later attempt repeated/),
    ).toBeDefined();
  });

  it('of a teacher are told beside the run’s own, at its own prices', async () => {
    renderPanel(null, 80, {
      ...TOKENS,
      'tokens/teacher/prefilled': 2_500_000,
      'tokens/teacher/sampled': 10_000,
      'cost/teacher': 1.25,
    });
    expect(
      await screen.findByText(
        'Teacher, besides: 2.50 million tokens prefilled, n/a reused, 0.010 sampled; 1.25.',
      ),
    ).toBeDefined();
    expect(screen.queryByText(/Judge/)).toBeNull();
  });

  it('are words instead of noughts where nothing was counted', async () => {
    renderPanel(null, 0, {});
    expect(await screen.findByText('Nothing counted.')).toBeDefined();
    expect(screen.queryByRole('table')).toBeNull();
  });
});
