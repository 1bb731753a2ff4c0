import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { NoPoints } from './no-points';

afterEach(cleanup);

const words = (reachedStep: number, isOver: boolean, isReading = false) =>
  render(<NoPoints of="actor/loss" frame={{ reachedStep, isOver, isReading }} />).container.textContent;

it('promises points only where some may come', () => {
  expect(words(0, false)).toContain('The first comes with step 1.');
  expect(words(3, false)).toContain('actor/loss appears here as soon as one point arrives.');
  expect(words(0, true)).toBe('No points: the run ended before its first step was done.');
  expect(words(3, true)).toContain('The run has no actor/loss.');
});

it('says nothing of a curve that is still being read', () => {
  expect(words(3, true, true)).toBe('Reading the points.');
});
