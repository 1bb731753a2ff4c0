import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RunDetail, SeriesCurve } from '@/contract/api';
import { AllCharts } from './all-charts';
import { aRunDetail, aRunRow, anEvaluationRow } from './fixtures';
import { OVERVIEW } from './overview-series';
import { RunCharts } from './run-charts';

vi.mock('next/navigation', () => ({
  useRouter: () => ({ push: vi.fn() }),
  useSearchParams: () => new URLSearchParams(window.location.search),
}));
// jsdom has no canvas to draw on.
vi.mock('@/components/charts/line-chart', () => ({ LineChart: () => null }));

let stored: string[];
/** Names of every series that was asked for. */
let asked: string[];

beforeEach(() => {
  asked = [];
  window.history.replaceState(null, '', '/runs/r-0007?smooth=0.5');
  vi.stubGlobal('fetch', (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (pathname.endsWith('/names')) return Response.json(stored.map((name) => ({ name, count: 1 })));
    if (!pathname.endsWith('/series')) return Response.json([]);
    const names = searchParams.getAll('name');
    asked.push(...names);
    return Response.json(names.filter((name) => stored.includes(name)).map(aCurve));
  });
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(private readonly told: (entries: { isIntersecting: boolean }[]) => void) {}
      observe() {
        this.told([{ isIntersecting: true }]);
      }
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const aCurve = (name: string): SeriesCurve => ({
  name,
  buckets: [{ fromStep: 4, toStep: 4, min: 1, max: 1, first: 1, last: 1, count: 1, nonFinite: 0 }],
  overwritten: [],
  position: 1,
});

function aDetail(kind: 'import' | 'training', names: readonly string[]): RunDetail {
  stored = [...names];
  const recipe = kind === 'import' ? 'import' : 'grpo';
  const detail = aRunDetail({ run: aRunRow({ id: 'r-0007', kind, recipe, status: 'finished' }) });
  const latest = Object.fromEntries(names.map((name) => [name, { step: 4, value: 1 }]));
  return { ...detail, view: { ...detail.view, step: 4, latest } };
}

function show(charts: ReactNode) {
  render(<QueryClientProvider client={new QueryClient()}>{charts}</QueryClientProvider>);
}

const titles = () => screen.queryAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);

it('draws on the overview of an import the series of its log, and no panel of one that it lacks', async () => {
  show(<RunCharts detail={aDetail('import', ['critic/score/mean', 'actor/entropy'])} evaluations={[]} />);
  await waitFor(() => expect(screen.getAllByText('1')).toHaveLength(2));
  expect(titles()).toEqual(['Entropy', 'critic/score/mean']);
  expect(asked).toEqual(['actor/entropy', 'critic/score/mean']);
  expect(screen.queryByRole('link')).toBeNull();
});

it('says how many series of an import are left, with the way to all of them', () => {
  const names = Array.from({ length: 15 }, (_, index) => `own/${String.fromCharCode(97 + index)}`);
  show(<RunCharts detail={aDetail('import', names)} evaluations={[]} />);
  expect(titles()).toEqual(names.slice(0, 12));
  expect(screen.getByText(/The run has 3 more series/)).toBeDefined();
  expect(screen.getByRole('link').getAttribute('href')).toBe('/runs/r-0007?smooth=0.5&tab=charts');
});

it('draws success of an import where it was evaluated or its log has it, and says where it has nothing', () => {
  show(<RunCharts detail={aDetail('import', [])} evaluations={[anEvaluationRow()]} />);
  expect(titles()).toEqual(['Success by split']);
  cleanup();
  show(<RunCharts detail={aDetail('import', ['rollout/success_rate'])} evaluations={[]} />);
  expect(titles()).toEqual(['Success by split']);
  cleanup();
  show(<RunCharts detail={aDetail('import', [])} evaluations={[]} />);
  expect(titles()).toEqual([]);
  expect(screen.getByText(/neither series nor evaluations/)).toBeDefined();
});

it('draws on the overview of a training what every training has', () => {
  show(<RunCharts detail={aDetail('training', [])} evaluations={[]} />);
  expect(titles()).toHaveLength(OVERVIEW.length + 2);
});

it('lists under Charts of an import its own series first, then those of the product’s names that it has', async () => {
  show(<AllCharts detail={aDetail('import', ['reward/mean', 'critic/score/mean', 'actor/lr'])} />);
  await screen.findByText('critic/score/mean');
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    'Of the log',
    'reward',
  ]);
  expect(titles()).toEqual(['actor/lr', 'critic/score/mean', 'Reward']);
});

it('lists under Charts of a training every metric of training first', async () => {
  show(<AllCharts detail={aDetail('training', ['own/a'])} />);
  await screen.findByText('own/a');
  const heads = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  expect(heads[0]).toBe('reward');
  expect(heads.at(-1)).toBe('Other');
});

it('says under Charts of an import that it has no series', async () => {
  show(<AllCharts detail={aDetail('import', [])} />);
  await screen.findByText('The import has no series.');
});
