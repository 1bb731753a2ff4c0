import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RunDetail, RunRow, SeriesSum } from '@/contract/api';
import type { TokenPrices } from '@/contract/cost';
import type { GrpoConfig } from '@/contract/recipes/grpo';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { OPD_PRESETS } from '@/contract/recipes/opd-presets';
import { RECIPES, type RecipeEntry } from '@/contract/recipes/registry';
import { aRunDetail, aRunRow } from '@/components/run/fixtures';
import { CostProjection } from './cost-projection';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const prices: TokenPrices = {
  currency: 'USD',
  prefillPerMillion: 1,
  samplePerMillion: 4,
  trainPerMillion: 2,
};
/** 100 steps of 10 groups of 8, never evaluated: 8,000 episodes of at most 10 turns. */
const config: GrpoConfig = {
  ...GRPO_PRESETS.verify,
  steps: 100,
  environment: { ...GRPO_PRESETS.verify.environment, maxTurns: 10 },
  rollout: { groups: 10, groupSize: 8, temperature: 1, maxReplyTokens: 50, maxPromptTokens: 200 },
  evaluation: { ...GRPO_PRESETS.verify.evaluation, everySteps: 0 },
  cost: prices,
};

/** The server knows one run and what its training used. */
function serve(run: RunRow, detail: RunDetail, tokens: Record<string, number>): void {
  vi.stubGlobal('fetch', (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://here');
    if (pathname.endsWith('/runs')) return Promise.resolve(Response.json([run]));
    if (!pathname.endsWith('/sums')) return Promise.resolve(Response.json(detail));
    const sums = searchParams.getAll('name').map((name): SeriesSum => {
      const sum = tokens[name] ?? 0;
      return { name, sum, overwritten: 0, count: name in tokens ? 1 : 0, lastStep: 1, position: 1 };
    });
    return Promise.resolve(Response.json(sums));
  });
}

function show(projected: unknown, recipe: RecipeEntry = RECIPES.grpo) {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <CostProjection recipe={recipe} config={projected} />
    </QueryClientProvider>,
  );
}
const cellsOf = (name: string) =>
  within(screen.getByRole('row', { name: new RegExp(`^${name}`) }))
    .getAllByRole('cell')
    .map((cell) => cell.textContent);

describe('a projection', () => {
  it('is an upper bound by the config’s limits, and says so, where nothing was measured', () => {
    serve(aRunRow({ preset: 'demo', status: 'finished' }), aRunDetail(), {});
    show(config);
    expect(screen.getByText('At most, M')).toBeDefined();
    expect(cellsOf('Prefill')).toEqual(['Prefill', '16.00', '16.00']);
    expect(cellsOf('Sample')).toEqual(['Sample', '4.00', '16.00']);
    expect(cellsOf('Train')).toEqual(['Train', '20.00', '40.00']);
    expect(cellsOf('Cost')).toEqual(['Cost', '72.00']);
    expect(screen.getByText(/Upper bounds, not an estimate: 8,000 episodes of training/)).toBeDefined();
  });

  it('bounds the episodes alone, and says what it leaves out, where a teacher reads them too', () => {
    serve(aRunRow({ preset: 'demo', status: 'finished' }), aRunDetail(), {});
    show(OPD_PRESETS.verify, RECIPES.opd);
    expect(screen.queryByText('At most, M')).toBeNull();
    expect(screen.getByText('Episodes, at most, M')).toBeDefined();
    expect(
      screen.getByText(/Not counted: what the teacher scores and goes on with\. A finished/),
    ).toBeDefined();
  });

  it('is what a finished verify run of the same setup measured, scaled', async () => {
    const run = aRunRow({ id: 'r-0007', name: 'first look', preset: 'verify', status: 'finished' });
    const verified = { ...config, steps: 1, rollout: { ...config.rollout, groups: 1 }, cost: null };
    serve(run, aRunDetail({ run, config: verified }), {
      'tokens/prefilled': 2000,
      'tokens/reused': 6000,
      'tokens/sampled': 500,
      'tokens/trained': 1000,
      'time/rollout': 3,
      'time/train': 5,
    });
    show(config);
    await waitFor(() => expect(screen.getByText('About, M')).toBeDefined(), { timeout: 10_000 });
    expect(screen.getByRole('link', { name: 'first look' }).getAttribute('href')).toBe('/runs/r-0007');
    expect(cellsOf('Prefill')).toEqual(['Prefill', '2.00', '2.00']);
    expect(cellsOf('Reused')).toEqual(['Reused', '6.00', '0.00']);
    expect(cellsOf('Cost')).toEqual(['Cost', '6.00']);
    // 8 s for 8 of 8,000 episodes.
    expect(screen.getByText(/as fast as that run’s: about 2 h 13 m\./)).toBeDefined();
  });

  it('waits for settings that are valid', () => {
    serve(aRunRow(), aRunDetail(), {});
    show({ ...config, steps: 0 });
    expect(screen.getByText('Shown once the settings have no problem.')).toBeDefined();
  });
});
