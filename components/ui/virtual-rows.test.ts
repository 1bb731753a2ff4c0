import { describe, expect, it } from 'vitest';
import { rowAt, rowTops } from './virtual-rows';

describe('rows of unequal height', () => {
  const tops = rowTops([10, 20, 30]);

  it('lie below one another', () => {
    expect(tops).toEqual([0, 10, 30, 60]);
    expect(rowTops([])).toEqual([0]);
  });

  it.each([
    [-5, 0],
    [0, 0],
    [9.9, 0],
    [10, 1],
    [29, 1],
    [30, 2],
    [1000, 2],
  ])('at %f px have row %i', (height, row) => {
    expect(rowAt(tops, height)).toBe(row);
  });

  it('that are none have row 0', () => {
    expect(rowAt(rowTops([]), 50)).toBe(0);
  });
});
