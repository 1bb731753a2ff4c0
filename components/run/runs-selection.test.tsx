import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useKeyListener } from '@/components/ui/key-map';
import { aRunRow } from './fixtures';
import { RunsSelectionBar, selectedCheckpoints } from './runs-selection';

const push = vi.fn();
vi.mock('next/navigation', () => ({ useRouter: () => ({ push }) }));
afterEach(cleanup);

const evaluated = (id: string, step: number) =>
  aRunRow({ id, lastEvaluation: { step, split: 'valid_seen', successes: 1, n: 2, evaluations: 1 } });

describe('the selected runs', () => {
  it('are compared by their last evaluated checkpoints, one run with its base', () => {
    expect(selectedCheckpoints([evaluated('r-1', 9), evaluated('r-2', 7), aRunRow({ id: 'r-3' })])).toEqual([
      'r-1@9',
      'r-2@7',
    ]);
    expect(selectedCheckpoints([evaluated('r-1', 9)])).toEqual(['r-1@0', 'r-1@9']);
    expect(selectedCheckpoints([evaluated('r-1', 0)])).toEqual(['r-1@0']);
    expect(selectedCheckpoints([])).toEqual([]);
  });

  function Page({ runs }: { runs: ReturnType<typeof aRunRow>[] }) {
    useKeyListener();
    return <RunsSelectionBar runs={runs} onClear={() => undefined} />;
  }

  it('open with c, and say which of them were not evaluated', () => {
    render(<Page runs={[evaluated('r-1', 9), aRunRow({ id: 'r-3' })]} />);
    expect(screen.getByRole('region').textContent).toContain(
      '2 runs selected, 1 without a sampled evaluation on valid_seen',
    );
    fireEvent.keyDown(document.body, { key: 'c' });
    expect(push).toHaveBeenCalledWith('/compare?c=r-1%409');
  });

  it('without any there is no bar', () => {
    const { container } = render(<Page runs={[]} />);
    expect(container.textContent).toBe('');
  });
});
