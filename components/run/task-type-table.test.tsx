import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { anEvaluationRow } from './fixtures';
import { TaskTypeTable } from './task-type-table';

const address = vi.hoisted(() => ({ search: '' }));
vi.mock('next/navigation', () => ({ useSearchParams: () => new URLSearchParams(address.search) }));

afterEach(() => {
  cleanup();
  address.search = '';
});

function show(...steps: number[]): void {
  const evaluations = steps.flatMap((step) =>
    (['sampled', 'greedy'] as const).map((decoding) => anEvaluationRow({ step, decoding })),
  );
  render(<TaskTypeTable runId="r-0001" evaluations={evaluations} />);
}

const pairedLink = () => screen.queryByRole('link', { name: 'paired by task in Compare' });

describe('the table of task types', () => {
  it('says that its differences are unpaired, and leads to the pairing of the same two checkpoints', () => {
    show(0, 10, 20);
    expect(screen.getByText(/differences unpaired, Newcombe/)).toBeTruthy();
    expect(pairedLink()?.getAttribute('href')).toBe(
      '/compare?split=valid_seen&decoding=sampled&c=r-0001%400&c=r-0001%4020',
    );
  });

  it('leads there under the decoding that it shows', () => {
    address.search = 'decoding=greedy';
    show(0, 10);
    expect(pairedLink()?.getAttribute('href')).toContain('decoding=greedy');
  });

  it('leads nowhere while one of the two is not evaluated', () => {
    show(0);
    expect(pairedLink()).toBeNull();
  });
});
