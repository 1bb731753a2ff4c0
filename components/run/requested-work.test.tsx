import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Fork } from '@/contract/forks';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { aSummary } from '@/components/trajectory/trajectory-factory';
import { aRunDetail, aRunRow } from './fixtures';
import { RequestedWork } from './requested-work';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(recipe: string, changes: object, forks: Fork[] = []): void {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(forks))));
  const { seed, engine, environment, scaffold, evaluation, probe, checkpoint } = GRPO_PRESETS.verify;
  const { temperature, maxReplyTokens } = GRPO_PRESETS.verify.rollout;
  const settings = { seed, steps: 1, engine, environment, scaffold, evaluation, probe, checkpoint };
  const work = { rollout: { temperature, maxReplyTokens }, checkpoints: [{ runId: 'r-0001', step: 40 }] };
  const detail = aRunDetail({
    run: aRunRow({ id: 'r-0009', recipe }),
    config: { ...settings, ...work, ...changes },
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RequestedWork detail={detail} />
    </QueryClientProvider>,
  );
}

it('Scores of two trajectories lead to their pair', () => {
  const scaffold = GRPO_PRESETS.verify.scaffold;
  show('action-scores', { trajectories: ['7', '8'].map((id) => ({ id, scaffold })) });
  expect(screen.getByText('by r-0001 step 40')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'The pair' }).getAttribute('href')).toBe('/pair?a=7&b=8');
});

it('Continuations say what was won of what was played, and lead to what they continue', async () => {
  show('fork-turn', { trajectory: '7', turn: 2, samples: 4 }, [
    {
      runId: 'r-0009',
      checkpoint: { runId: 'r-0001', step: 40 },
      status: 'running',
      reason: null,
      trajectoryId: '7',
      turn: 2,
      samples: 4,
      temperature: 1,
      trajectories: [aSummary('70', { success: true }), aSummary('71', { success: false })],
    },
  ]);
  expect(await screen.findByText('1/2')).toBeTruthy();
  expect(screen.getByText(/continued from turn 3, 2 of 4 played/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Trajectory 7' }).getAttribute('href')).toBe('/trajectories/7');
});

it('A play leads to its screen, and a config of another version says so', () => {
  show('play', { world: { kind: 'pasted', goal: 'win' }, decoding: 'greedy', idleMinutes: 5 });
  expect(screen.getByRole('link', { name: 'Open the play' }).getAttribute('href')).toBe('/play?r=r-0009');
  cleanup();
  show('play', {});
  expect(screen.getByText('The config of this run is of another version.')).toBeTruthy();
});
