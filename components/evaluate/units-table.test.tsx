import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { evaluationUnits } from '@/contract/recipes/checkpoint-evaluation';
import type { EvaluationUnitRow } from '@/contract/requested-evaluation';
import { anEvaluation } from '@/components/run/fixtures';
import { UnitsTable } from './units-table';

afterEach(cleanup);

const [one, two] = evaluationUnits({
  checkpoints: [{ runId: 'r-0001', step: 40 }],
  seeds: [1, 2],
  evaluation: { splits: [{ split: 'valid_seen', tasks: 140 }], decodings: ['sampled'] },
});
if (!one || !two) throw new Error('expected an evaluation for each seed');

const ended = (unit: typeof one, successes: number): EvaluationUnitRow => ({
  ...unit,
  played: 140,
  successes,
  errors: 2,
  truncated: 5,
  result: anEvaluation({ ...unit, n: 140, successes, errors: 2, truncated: 5 }),
});
const unplayed: EvaluationUnitRow = {
  ...two,
  played: 0,
  successes: 0,
  errors: 0,
  truncated: 0,
  result: null,
};

function show(units: EvaluationUnitRow[], selected: string | null = null): HTMLElement[] {
  render(<UnitsTable runId="r-0009" sourceId="r-0001" units={units} selected={selected} />);
  return screen.getAllByRole('row');
}

describe('the evaluations of a requested run', () => {
  it('show k/n with its interval, errors and cut-off trajectories apart, and lead to the trajectories', () => {
    const [, , row] = show([ended(one, 104)]);
    if (!row) throw new Error('expected a row');
    expect(row.textContent).toContain('104/140 74.3 [66.5, 80.8]');
    const cells = within(row).getAllByRole('cell');
    expect(cells.slice(7, 9).map(({ textContent }) => textContent)).toEqual(['2', '5']);
    expect(within(row).getByRole('link', { name: '140 of 140' }).getAttribute('href')).toBe(
      '/runs/r-0009/trajectories?evaluation=r-0001%2F40%2Fcheckpoint%2Fvalid_seen%2Fsampled%2F1',
    );
  });

  it('count nothing of an evaluation that has not begun', () => {
    const [, , row] = show([unplayed]);
    if (!row) throw new Error('expected a row');
    const cells = within(row).getAllByRole('cell');
    expect(cells.slice(3, 9).map(({ textContent }) => textContent)).toEqual(Array(6).fill('n/a'));
    expect(cells.at(-1)?.textContent).toBe('0 of 140');
  });

  it('give neither a rate nor an interval before all tasks are played', () => {
    const [, , row] = show([{ ...unplayed, played: 8, successes: 3 }]);
    expect(row?.textContent).toContain('3/8 so far');
    expect(row?.textContent).not.toContain('[');
    expect(screen.getByRole('progressbar')).toHaveProperty(
      'ariaValueNow',
      String((8 / 140) * 100).slice(0, 3),
    );
  });

  it('sum the seeds up as mean and sample standard deviation, with how many have ended', () => {
    show([ended(one, 123), ended(two, 120)]);
    // 87.857 and 85.714: mean 86.786, standard deviation 1.515.
    expect(screen.getByText('86.8 ± 1.5, n = 2')).toBeDefined();
    cleanup();
    show([ended(one, 123), unplayed]);
    expect(screen.getByText('1 of 2 seeds')).toBeDefined();
    expect(screen.getByText('87.9 ± n/a, n = 1')).toBeDefined();
  });

  it('mark the one that the address names', () => {
    const rows = show([ended(one, 104), ended(two, 100)], two.key);
    expect(rows.filter((row) => row.getAttribute('aria-selected') === 'true')).toHaveLength(1);
  });
});
