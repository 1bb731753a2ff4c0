import { describe, expect, it } from 'vitest';
import { nextStop, readPosition, writePosition } from './position';

describe('position in a trajectory', () => {
  it('counts turns from 1 in the URL and from 0 within', () => {
    expect(readPosition('1', 10)).toBe(0);
    expect(readPosition('10', 10)).toBe(9);
    expect(writePosition(9, 10)).toBe('10');
  });

  it('names the final state', () => {
    expect(readPosition('end', 10)).toBe(10);
    expect(writePosition(10, 10)).toBe('end');
  });

  it('begins at the first turn without a number and never leaves the trajectory', () => {
    expect([null, '', 'x', '-3', '0', '1.5'].map((t) => readPosition(t, 10))).toEqual([0, 0, 0, 0, 0, 0]);
    expect(readPosition('99', 10)).toBe(10);
  });
});

describe('stepping from mark to mark', () => {
  const marked = (index: number) => index === 1 || index === 3;

  it('goes to the next one and begins again after the last', () => {
    expect(nextStop(5, 0, marked)).toBe(1);
    expect(nextStop(5, 1, marked)).toBe(3);
    expect(nextStop(5, 3, marked)).toBe(1);
  });

  it('goes nowhere without marks or turns', () => {
    expect(nextStop(5, 2, () => false)).toBeNull();
    expect(nextStop(0, 0, marked)).toBeNull();
  });
});
