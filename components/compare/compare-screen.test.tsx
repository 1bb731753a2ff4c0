import { cleanup, configure, fireEvent, render, screen, within } from '@testing-library/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkpointName, type ComparableRun, type Comparison } from '@/contract/compare';
import { saveFile } from '@/components/export/save-file';
import { useKeyListener } from '@/components/ui/key-map';
import { aCheckpoint, aComparison, agenticRlLab, counted, playedOut } from './compare-fixtures';
import { CompareScreen } from './compare-screen';
import { comparisonHref } from './compare-state';

// Bootstraps take long on a busy machine.
configure({ asyncUtilTimeout: 30_000 });

const push = vi.fn();
const urlWatchers = new Set<() => void>();
vi.mock('next/navigation', () => ({
  useRouter: () => ({ push }),
  useSearchParams: () =>
    new URLSearchParams(
      useSyncExternalStore(
        (watcher) => {
          urlWatchers.add(watcher);
          return () => urlWatchers.delete(watcher);
        },
        () => window.location.search,
      ),
    ),
}));
vi.mock('@/components/export/save-file', () => ({ saveFile: vi.fn() }));

let comparison: Comparison;
const COMPARABLE: ComparableRun[] = [
  { runId: 'r-0009', runName: 'another run', kind: 'import', steps: [{ step: 7, splits: ['valid_seen'] }] },
];

beforeEach(() => {
  for (const change of ['replaceState', 'pushState'] as const) {
    const original = window.history[change].bind(window.history);
    vi.spyOn(window.history, change).mockImplementation((...args) => {
      original(...args);
      for (const watcher of urlWatchers) watcher();
    });
  }
  vi.stubGlobal('fetch', (url: string) =>
    Promise.resolve(Response.json(url.includes('/compare/checkpoints') ? COMPARABLE : comparison)),
  );
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  push.mockReset();
});

function Page() {
  useKeyListener();
  return <CompareScreen />;
}

async function open(shown: Comparison, search = ''): Promise<HTMLElement> {
  comparison = shown;
  window.history.replaceState(null, '', `${comparisonHref(shown.checkpoints.map(checkpointName))}${search}`);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Page />
    </QueryClientProvider>,
  );
  return screen.findByRole('region', { name: 'Checkpoints by splits' });
}

const paired = aComparison([
  aCheckpoint(0, [playedOut(Array.from({ length: 40 }, (_, task) => task < 10))]),
  aCheckpoint(9, [playedOut(Array.from({ length: 40 }, (_, task) => task > 4))]),
]);

describe('the comparison of published counts', () => {
  it('says in words that nothing is told apart, that the splits disagree, and that it is unpaired', async () => {
    await open(agenticRlLab());
    const verdict = screen.getByRole('region', { name: 'Verdict' });
    expect(verdict.textContent).toContain('No checkpoint is distinguishable from Step 0 on either split.');
    expect(verdict.textContent).toContain('The splits disagree');
    expect(verdict.textContent).toContain('4 comparisons shown: p-values are Holm’s');
    const row = screen.getByRole('row', { name: /Step 80/, selected: true });
    expect(row.textContent).toContain('+5.97 pp');
    expect(row.textContent).toContain('not distinguishable, unpaired (could see >= 17.1 pp)');
    expect(screen.getByText(/Step 0 is known by its counts alone/)).toBeTruthy();
  });

  it('of four tasks is not compared', async () => {
    const matrix = await open(
      aComparison([aCheckpoint(1, [counted(3, 4)]), aCheckpoint(31, [counted(1, 4)])]),
    );
    expect(within(matrix).getByText('n = 4, not compared')).toBeTruthy();
  });
});

it('every row of a table is as wide as its head', async () => {
  await open(
    aComparison([
      aCheckpoint(0, [playedOut([true, false]), playedOut([true, false], { split: 'valid_unseen' })]),
      aCheckpoint(9, [playedOut([true, true])]),
    ]),
  );
  const widthOf = (row: Element) =>
    [...row.children].reduce(
      (sum, cell) => sum + (cell instanceof HTMLTableCellElement ? cell.colSpan : 0),
      0,
    );
  for (const table of screen.getAllByRole('table')) {
    const [head, ...more] = [...table.querySelectorAll('tr')].map(widthOf);
    // The matrix has two rows of heads, the first of which holds the name of the rows as well.
    const isMatrix = table.closest('[aria-label="Checkpoints by splits"]') !== null;
    expect(new Set(isMatrix ? [head, (more[0] ?? 0) + 1, ...more.slice(1)] : [head, ...more]).size).toBe(1);
  }
});

describe('the comparison of the same tasks', () => {
  it('lists them by what became of them, each a link to its pair', async () => {
    await open(paired);
    const gained = screen.getByRole('region', { name: 'Gained' });
    expect(within(gained).getByRole('heading').textContent).toContain('Gained 30');
    expect(within(gained).getAllByRole('link')).toHaveLength(11);
    expect(within(gained).getAllByRole('link')[0]?.getAttribute('href')).toMatch(
      /^\/pair\?a=valid_seen%3A\d+%2Ffalse&b=valid_seen%3A\d+%2Ftrue$/,
    );
    fireEvent.click(within(gained).getByRole('button', { name: '19 more' }));
    expect(within(gained).getAllByRole('link')).toHaveLength(30);
    expect(screen.getByRole('region', { name: 'Lost' }).textContent).toContain('Lost 5');
    expect(screen.getByRole('region', { name: 'Neither' }).textContent).toContain('No task.');
  });

  it('is read and changed by keyboard, with the view in the address', async () => {
    const matrix = await open(paired);
    fireEvent.keyDown(document.body, { key: 'p' });
    expect(push.mock.calls[0]?.[0]).toMatch(/^\/pair\?a=/);
    fireEvent.keyDown(document.body, { key: 'i' });
    expect(window.location.search).toContain('interval=clopper-pearson');
    expect(await within(matrix).findByText(/95% Clopper-Pearson/)).toBeTruthy();
    fireEvent.keyDown(document.body, { key: 'b' });
    expect(window.location.search).toContain('baseline=r-0001%409');
    expect(await within(matrix).findByText(/less Step 9, pp/)).toBeTruthy();
    fireEvent.keyDown(document.body, { key: 'E', shiftKey: true });
    fireEvent.click(screen.getByRole('menuitem', { name: 'LaTeX' }));
    expect(vi.mocked(saveFile).mock.calls[0]?.[0]).toBe('compare.tex');
  });

  it('takes other checkpoints, of imports too, and gives them up', async () => {
    await open(paired);
    fireEvent.keyDown(document.body, { key: 'a' });
    fireEvent.click(await screen.findByRole('button', { name: /step 7/ }));
    expect(new URLSearchParams(window.location.search).getAll('c')).toEqual([
      'r-0001@0',
      'r-0001@9',
      'r-0009@7',
    ]);
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    fireEvent.click(screen.getByRole('button', { name: 'Remove Step 0' }));
    expect(new URLSearchParams(window.location.search).getAll('c')).toEqual(['r-0001@9', 'r-0009@7']);
  });
});

it('unlike settings are named, and compared on demand', async () => {
  const matrix = await open(
    aComparison([aCheckpoint(0, [counted(50, 100, { maxTurns: 50 })]), aCheckpoint(9, [counted(90, 100)])]),
  );
  expect(within(matrix).getByText('Not compared: at most 50 turns against 10 turns.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Compare anyway' }));
  expect(await within(matrix).findByText('higher')).toBeTruthy();
  expect(matrix.textContent).toContain('unlike: at most 50 turns against 10 turns');
});

it('without checkpoints it says what to choose', () => {
  window.history.replaceState(null, '', '/compare');
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Page />
    </QueryClientProvider>,
  );
  expect(screen.getByText('No checkpoint chosen.')).toBeTruthy();
});

it('names what of the address is not compared', async () => {
  const more = Array.from({ length: 11 }, (_, run) => `&c=r-1000@${run}`).join('');
  await open(paired, `&c=zzz${more}`);
  expect(screen.getByText(/Not a checkpoint: zzz\..*At most 12 .*left out: r-1000@10\./)).toBeTruthy();
});

it('takes the first as the baseline where the address names one that is not compared, and says so', async () => {
  const more = Array.from({ length: 11 }, (_, run) => `&c=r-1000@${run}`).join('');
  const matrix = await open(paired, `${more}&baseline=r-1000@10&row=r-1000@10`);
  expect(within(matrix).getByText(/less Step 0, pp/)).toBeTruthy();
  expect(
    screen.getByText(/baseline of the address, r-1000@10, .* r-0001@0, the first, is it instead\./),
  ).toBeTruthy();
  expect(screen.getByText(/row of the address, r-1000@10, is not among those compared/)).toBeTruthy();
  expect(screen.getByRole('row', { name: /Step 9/, selected: true })).toBeTruthy();
});
