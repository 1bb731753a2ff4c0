import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { JudgeTable } from '@/contract/judge-table';
import { JudgePanel } from './judge-panel';

afterEach(cleanup);

const noise = { failRate: 0.45, soundGivenFailed: 0.385, goodGivenFailed: 0.21, soundAndFailed: 0.172 };

function aTable(parts: Partial<JudgeTable> = {}): JudgeTable {
  return {
    judge: { kind: 'llm', name: 'glm-5.1' },
    fromStep: 1,
    toStep: 200,
    unscored: 3,
    rows: [
      { taskType: null, n: 50_785, failed: 22_729, ...noise },
      { taskType: 'open', n: 9439, failed: 0, ...noise, soundGivenFailed: null },
    ],
    lengthCorrelation: -0.31,
    quintiles: [
      { n: 10_157, shortest: 9, longest: 20, score: 0.767 },
      { n: 10_157, shortest: 20, longest: 30, score: 0.5 },
    ],
    ...parts,
  };
}

function cellsOf(name: RegExp): (string | null)[] {
  const [row] = screen.getAllByRole('row', { name });
  if (!row) throw new Error(`no row ${name}`);
  return within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);
}

it('names the language model, and gives each window and task type with its n; what is not known reads n/a', () => {
  render(<JudgePanel tables={[aTable(), aTable({ fromStep: 201, toStep: 400 })]} />);
  expect(screen.getByText('Judge and outcome: LLM glm-5.1')).toBeTruthy();
  expect(screen.getByText(/6 turns without a score/)).toBeTruthy();
  expect(cellsOf(/^steps 1 to 200/)).toEqual(['steps 1 to 200', '50,785', '45.0', '38.5', '21.0', '17.2']);
  expect(cellsOf(/^open/)).toEqual(['open', '9,439', '45.0', 'n/a', '21.0', '17.2']);
  const [, byLength] = screen.getAllByRole('row', { name: /^steps 201 to 400/ });
  expect(byLength?.textContent).toBe('steps 201 to 4000.770.50n/an/an/a−0.31');
});

it('calls the expert an oracle that no language model is to be compared with', () => {
  render(<JudgePanel tables={[aTable({ judge: { kind: 'oracle', name: 'babyai' } })]} />);
  expect(screen.getByText('Judge and outcome: oracle babyai')).toBeTruthy();
  expect(screen.getByText(/not to be compared with a language model/)).toBeTruthy();
});

it('is not there where nothing was judged', () => {
  const { container } = render(<JudgePanel tables={[]} />);
  expect(container.textContent).toBe('');
});
