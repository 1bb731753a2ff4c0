import { cleanup, render, screen } from '@testing-library/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { CheckpointEvaluationConfig, evaluationUnits } from '@/contract/recipes/checkpoint-evaluation';
import { evaluationConfigOf, type EvaluationUnits } from '@/contract/requested-evaluation';
import { anEvaluation, aRunDetail } from '@/components/run/fixtures';
import { EvaluationResults } from './evaluation-results';

vi.mock('next/navigation', () => ({ useSearchParams: () => new URLSearchParams() }));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const config = CheckpointEvaluationConfig.parse(
  evaluationConfigOf(GRPO_PRESETS.verify, [{ runId: 'r-0001', step: 5 }], {
    splits: [{ split: 'valid_seen', tasks: 4 }],
    decodings: ['greedy'],
  }),
);

function counted(played: number): EvaluationUnits {
  return {
    source: { runId: 'r-0001', name: 'a run' },
    config,
    units: evaluationUnits(config).map((unit) => ({
      ...unit,
      played,
      successes: 1,
      errors: 0,
      truncated: 1,
      result: played === unit.tasks ? anEvaluation({ ...unit, n: played, successes: 1 }) : null,
    })),
  };
}

it('counts once more when the run has ended: the last count before may be seconds old', async () => {
  let answer = counted(2);
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(answer)));
  const detail = aRunDetail();
  const client = new QueryClient();
  const show = (status: 'running' | 'finished') => (
    <QueryClientProvider client={client}>
      <EvaluationResults detail={{ ...detail, view: { ...detail.view, status } }} />
    </QueryClientProvider>
  );
  const { rerender } = render(show('running'));
  await screen.findByText('0 of 1 ended, 2 of 4 trajectories played');
  answer = counted(4);
  rerender(show('finished'));
  await screen.findByText('1 of 1 ended, 4 of 4 trajectories played');
  expect(screen.getByText('1/4', { exact: false })).toBeDefined();
});
