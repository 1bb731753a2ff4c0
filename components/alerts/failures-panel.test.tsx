import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { StepFailures } from '@/contract/failure-cluster';
import { Failures } from './failures-panel';

afterEach(cleanup);

const STEPS: StepFailures[] = [
  { step: 31, phase: 'eval', n: 4, failed: 0, unscored: 0, unmarked: 0, clusters: [] },
  {
    step: 1,
    phase: 'train',
    n: 512,
    failed: 72,
    unscored: 3,
    unmarked: 0,
    clusters: [
      { mode: 'none_available', firstBadTurn: 0, count: 54 },
      { mode: 'turn_limit', firstBadTurn: null, count: 18 },
    ],
  },
];

it('lists how lost trajectories first went wrong with n, each leading to its trajectories', () => {
  render(<Failures runId="r-0001" steps={STEPS} chosen="1/train" onChoose={() => undefined} />);
  expect(screen.getByText('72 of 512 train trajectories lost; outcome of 3 not stated')).toBeTruthy();
  const [, first, second] = screen.getAllByRole('row');
  if (!first || !second) throw new Error('two clusters were shown');
  expect(
    within(first)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toEqual(['says that no action is available', '1', '54 of 72', '75.0']);
  expect(within(first).getByRole('link').getAttribute('href')).toBe(
    '/runs/r-0001/trajectories?step=1&phase=train&success=false&failureMode=none_available&firstBadTurn=0',
  );
  expect(within(second).getByRole('link').getAttribute('href')).toBe(
    '/runs/r-0001/trajectories?step=1&phase=train&success=false&failureMode=turn_limit',
  );
});

it('shows the newest step unless another is chosen', () => {
  const onChoose = vi.fn();
  render(<Failures runId="r-0001" steps={STEPS} chosen={null} onChoose={onChoose} />);
  expect(screen.getByText('All of them won.')).toBeTruthy();
  fireEvent.change(screen.getByRole('combobox', { name: 'Step' }), { target: { value: '1/train' } });
  expect(onChoose).toHaveBeenCalledWith('1/train');
});

it('says what will appear where nothing is recorded', () => {
  render(<Failures runId="r-0001" steps={[]} chosen={null} onChoose={() => undefined} />);
  expect(screen.getByText('No trajectory is recorded yet.')).toBeTruthy();
});
