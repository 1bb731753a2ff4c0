import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { OutcomeWord } from './outcome';
import { aTrajectory } from './trajectory-factory';

afterEach(cleanup);

it('names a success, the way a play was lost, and neither where the log does not say', () => {
  const outcomes = [
    aTrajectory({ success: true, stopReason: 'success' }),
    aTrajectory({ success: false, stopReason: 'turn_limit' }),
    aTrajectory({ success: null, stopReason: 'not_stated' }),
    aTrajectory({ success: null, stopReason: 'failure' }),
    aTrajectory({ success: null, stopReason: 'error' }),
  ];
  const { container } = render(
    outcomes.map((trajectory, index) => <OutcomeWord key={index} trajectory={trajectory} />),
  );
  expect([...container.children].map((word) => word.textContent)).toEqual([
    'success',
    'turn limit',
    'not stated',
    'not stated',
    'error',
  ]);
  expect(screen.getAllByTitle(/does not say how the episode ended/)).toHaveLength(1);
});
