import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { plannedEvaluations, SmallestDifference } from './smallest-difference';

let search = '';
vi.mock('next/navigation', () => ({ useSearchParams: () => new URLSearchParams(search) }));
afterEach(() => {
  cleanup();
  search = '';
});

const config = {
  ...GRPO_PRESETS.demo,
  evaluation: {
    ...GRPO_PRESETS.demo.evaluation,
    finalSplits: [{ split: 'valid_seen', tasks: 140 }],
    splits: [{ split: 'valid_unseen', tasks: 50 }],
  },
};

function rows(): (string | null)[][] {
  return screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent));
}

describe('how many tasks and seeds a run needs', () => {
  it('is told for each evaluation that the config plans', () => {
    render(<SmallestDifference config={config} />);
    expect(rows()).toEqual([
      ['valid_seen, first and last', '140', '7.5 pp', '10.6 pp', '13.0 pp', '16.7 pp'],
      // 12.5 pp cannot come about where 10 % of the tasks differ.
      ['valid_unseen, in between', '50', 'none', '17.7 pp', '21.7 pp', '28.0 pp'],
    ]);
  });

  it('takes each seed for as many tasks again', () => {
    search = 'seeds=4';
    render(<SmallestDifference config={config} />);
    expect(rows()[0]).toEqual(['valid_seen, first and last', '140', '3.7 pp', '5.3 pp', '6.5 pp', '8.4 pp']);
  });

  it('says what is wrong with a number of seeds, and shows nothing of settings that do not hold', () => {
    search = 'seeds=0';
    render(<SmallestDifference config={config} />);
    expect(screen.getByText('expected a whole number from 1 to 1000')).toBeDefined();
    expect(screen.queryByRole('table')).toBeNull();
    expect(
      plannedEvaluations({ evaluation: { splits: 'x', finalSplits: [{ split: 'moon', tasks: 1 }] } }),
    ).toEqual([]);
  });
});
