import { cleanup, render, screen } from '@testing-library/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ReportBlock } from '@/contract/report';
import { useCrosshair } from '@/components/charts/crosshair';
import { anEvaluation } from '@/components/run/fixtures';
import { BlockView } from './block-view';

vi.mock('next/navigation', () => ({
  useSearchParams: () => new URLSearchParams(),
  useRouter: () => ({ push: () => undefined }),
}));
// uPlot reads the window's media as it is loaded, and draws on a canvas, which this window has not.
vi.mock('@/components/charts/line-chart', () => ({
  LineChart: function Drawn({ label }: { label: string }) {
    useCrosshair();
    return <p>{label}</p>;
  },
}));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Shows a block where the server answers each address by its end. */
function show(block: ReportBlock, answers: Record<string, unknown>) {
  vi.stubGlobal('fetch', (url: string) => {
    const found = Object.keys(answers).find((part) => url.includes(part));
    return Promise.resolve(
      found
        ? Response.json(answers[found])
        : Response.json({ error: { code: 'not_found', message: `no ${url}`, issues: [] } }, { status: 404 }),
    );
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <BlockView block={block} />
    </QueryClientProvider>,
  );
}

const evaluated = (id: string, changes: Parameters<typeof anEvaluation>[0]) => ({
  id,
  attempt: 1,
  key: id,
  current: true,
  evaluation: anEvaluation(changes),
});
const bucket = { fromStep: 1, toStep: 4, min: 0.1, max: 0.5, first: 0.1, last: 0.5, count: 4, nonFinite: 0 };
const curve = { name: 'reward/mean', buckets: [bucket], overwritten: [], position: 9 };
const chart: ReportBlock = { id: 'b', kind: 'chart', runs: ['r-0001'], series: 'reward/mean' };

describe('a block of a report', () => {
  it('of evaluations names its filters and shows what passes them as k/n', async () => {
    const rows = [
      evaluated('1', { split: 'valid_seen', decoding: 'greedy', successes: 7, n: 31 }),
      evaluated('2', { split: 'valid_unseen', decoding: 'greedy', successes: 5, n: 29 }),
    ];
    const block: ReportBlock = {
      id: 'a',
      kind: 'evaluations',
      runs: ['r-0001'],
      split: 'valid_seen',
      decoding: null,
    };
    show(block, { '/evaluations': rows });
    expect(await screen.findByText(/7\/31/)).toBeDefined();
    expect(screen.queryByText(/5\/29/)).toBeNull();
    expect(screen.getByText(/valid_seen, both decodings/)).toBeDefined();
  });

  it('of evaluations leaves those out whose success is marked meaningless, with the reason', async () => {
    const rows = [
      evaluated('1', { decoding: 'greedy', successes: 31, n: 31 }),
      evaluated('2', { decoding: 'sampled', successes: 5, n: 29 }),
    ];
    const mark = { name: 'eval/valid_seen_greedy/success_rate', reason: '= 1.0 always', createdAt: 1 };
    show(
      { id: 'a', kind: 'evaluations', runs: ['r-0001'], split: null, decoding: null },
      { '/metric-marks': [mark], '/evaluations': rows },
    );
    expect(await screen.findByText(/its evaluations are left out: = 1.0 always/)).toBeDefined();
    expect(screen.getByText(/5\/29/)).toBeDefined();
    expect(screen.queryByText(/31\/31/)).toBeNull();
  });

  it('of a chart says the newest value and the number of points of each run', async () => {
    show(chart, { '/metric-marks': [], '/series': [curve] });
    expect(await screen.findByText('0.5 at step 4, n = 4 points')).toBeDefined();
  });

  it('of a chart leaves a metric out that is marked meaningless, with the reason', async () => {
    const mark = { name: 'reward/mean', reason: 'hard-coded', createdAt: 1 };
    show(chart, { '/metric-marks': [mark], '/series': [curve] });
    expect(await screen.findByText(/marked meaningless and not drawn: hard-coded/)).toBeDefined();
    expect(screen.queryByText(/at step 4/)).toBeNull();
  });

  it('of a run that is not there says so, with the server’s words', async () => {
    show(chart, {});
    expect((await screen.findByRole('alert')).textContent).toContain('no /api/v1/runs/r-0001/series');
  });

  it('without anything named says what to give', () => {
    show({ id: 'a', kind: 'compare', query: '' }, {});
    expect(screen.getByText('No comparison named.')).toBeDefined();
  });
});
