import { describe, expect, it } from 'vitest';
import { overlongPenalty, penaliseInvalid } from './reward-shaping';

describe('the penalty of a long reply', () => {
  const settings = { maxLength: 12, bufferLength: 4, bounded: true };

  it('grows over the buffer alone', () => {
    expect([7, 8, 9, 10, 12].map((length) => overlongPenalty(length, settings))).toEqual([
      -0, -0, -0.25, -0.5, -1,
    ]);
    expect(overlongPenalty(10, { ...settings, factor: 2 })).toBe(-1);
  });

  it('goes on past the maximum where it is not bounded', () => {
    expect(overlongPenalty(16, settings)).toBe(-1);
    expect(overlongPenalty(16, { ...settings, bounded: false })).toBe(-2);
  });

  it('refuses a buffer that no reply can reach', () => {
    expect(() => overlongPenalty(1, { ...settings, bufferLength: 0 })).toThrow('bufferLength is 0');
    expect(() => overlongPenalty(1, { ...settings, bufferLength: 13 })).toThrow(
      'expected 1 to maxLength = 12',
    );
    expect(() => overlongPenalty(-1, settings)).toThrow('length is -1');
  });
});

describe('the penalty of an invalid action', () => {
  it('falls on its own turn', () => {
    expect(penaliseInvalid([10, 0, 1], [true, false, false], 0.5)).toEqual([10, -0.5, 0.5]);
  });
});
