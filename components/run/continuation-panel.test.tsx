import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { ContinuationTable } from '@/contract/continuation-table';
import { ContinuationPanel } from './continuation-panel';

afterEach(cleanup);

const any = { fromTokens: 0, toTokens: null };
const table: ContinuationTable = {
  step: 20,
  teacher: 'models/some-teacher',
  rows: [
    { depth: 0.8, ...any, n: 100, wellFormed: 56 },
    { depth: 0.8, fromTokens: 0, toTokens: 4096, n: 50, wellFormed: 50 },
    { depth: 0.8, fromTokens: 4096, toTokens: null, n: 50, wellFormed: 4 },
    { depth: 1, ...any, n: 100, wellFormed: 90 },
  ],
};

function cellsOf(name: RegExp): (string | null)[][] {
  return screen.getAllByRole('row', { name }).map((row) =>
    within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  );
}

it('gives each depth with its n, over all lengths and then by length', () => {
  render(<ContinuationPanel tables={[table]} />);
  expect(screen.getByText('Continued by the teacher: models/some-teacher')).toBeTruthy();
  const [overAll, short, long] = cellsOf(/^80\.0 %/);
  expect([overAll?.[1], short?.[1], long?.[1]]).toEqual(['any', '0 to 4,095', '≥ 4,096']);
  expect(overAll?.[2]).toContain('56/100');
  expect(long?.[2]).toContain('4/50');
  expect(cellsOf(/^all, its own reply/)[0]?.[2]).toContain('90/100');
});

it('is not there where no teacher went on', () => {
  const { container } = render(<ContinuationPanel tables={[]} />);
  expect(container.textContent).toBe('');
});
