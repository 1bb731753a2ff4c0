import { expect, it } from 'vitest';
import { aTrajectory } from './trajectory-factory';
import { playLink } from './trajectory-head';

const linkOf = (changes: Parameters<typeof aTrajectory>[0]) =>
  playLink({ runId: 'r-0002', trajectory: aTrajectory(changes) });

it('A task is played with the checkpoint that acted, its own run’s or the one that was evaluated', () => {
  const played = { split: 'valid_seen', step: 40, taskId: 'Open:1' } as const;
  expect(linkOf({ ...played, phase: 'probe' })).toBe('/play?c=r-0002%4040&task=Open%3A1&split=valid_seen');
  const evaluation = 'r-0001/40/checkpoint/valid_seen/greedy/1';
  expect(linkOf({ ...played, phase: 'eval', evaluation })).toContain('c=r-0001%4040');
  expect(linkOf({ ...played, phase: 'eval', evaluation: evaluation.replace('r-0001', 'own') })).toContain(
    'c=r-0002%4040',
  );
});

it('There is no such link from a task of training, a fork or a play', () => {
  expect(linkOf({ split: 'train', phase: 'train' })).toBeNull();
  expect(linkOf({ split: 'valid_seen', phase: 'fork' })).toBeNull();
  expect(linkOf({ split: 'valid_seen', phase: 'manual' })).toBeNull();
});
