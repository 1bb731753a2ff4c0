import { describe, expect, it } from 'vitest';
import { normalUpperTail } from './normal';

/** erfc(z / √2) / 2 in 40 digits' arithmetic. */
const KNOWN: [z: number, tail: number][] = [
  [-4, 0.99996832875816688],
  [-1, 0.84134474606854295],
  [0, 0.5],
  [0.5, 0.3085375387259869],
  [1, 0.15865525393145705],
  [1.644854, 0.049999961525413052],
  [1.959964, 0.024999999096442404],
  [2.9, 0.001865813300384038],
  [3, 0.0013498980316300945],
  [3.1, 0.00096760321321835689],
  [5, 2.8665157187919391e-7],
  [8, 6.2209605742717841e-16],
];

describe('normalUpperTail', () => {
  it.each(KNOWN)('is exact to twelve digits at %d', (z, tail) => {
    expect(Math.abs(normalUpperTail(z) / tail - 1)).toBeLessThan(1e-12);
  });

  it('goes from 1 to 0 and refuses what is no number', () => {
    expect(normalUpperTail(-Infinity)).toBe(1);
    expect(normalUpperTail(Infinity)).toBe(0);
    expect(() => normalUpperTail(NaN)).toThrow('z is NaN');
  });
});
