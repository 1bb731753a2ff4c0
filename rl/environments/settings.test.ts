import { describe, expect, it } from 'vitest';
import { requireValidOptions } from './settings';

const DEFAULTS = { maxTurns: 10, strict: true };
const check = (given: object) => () => requireValidOptions('Maze', DEFAULTS, given);

describe('requireValidOptions', () => {
  it('takes what the defaults name', () => {
    for (const given of [{}, { maxTurns: null }, { maxTurns: 1, strict: false }])
      expect(check(given)).not.toThrow();
  });

  it('names an option that there is not, and lists those there are', () => {
    expect(check({ strickt: true })).toThrow('no Maze option "strickt". Options: maxTurns, strict');
    expect(check({ toString: true })).toThrow(/"toString"/);
  });

  it('names a value that is not valid', () => {
    for (const maxTurns of [0, -1, 1.5, NaN, '10', undefined]) {
      expect(check({ maxTurns })).toThrow(`positive integer or null, got ${String(maxTurns)}`);
    }
    expect(check({ strict: 1 })).toThrow('strict must be true or false, got 1');
  });
});
