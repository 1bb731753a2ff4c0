import { describe, expect, it } from 'vitest';
import { QueryInteger, RunId } from './bounds';

describe('a whole number of a query string', () => {
  it.each([
    ['0', 0],
    ['2147483647', 2_147_483_647],
    [12, 12],
  ])('reads %j', (text, expected) => {
    expect(QueryInteger.parse(text)).toBe(expected);
  });

  it.each(['', ' ', '-1', '1.5', 'abc', '2147483648', '1e30', undefined])('refuses %j', (text) => {
    expect(QueryInteger.safeParse(text).success).toBe(false);
  });
});

describe('the id of a run', () => {
  it('is looked up as given, unless no stored text can equal it', () => {
    expect(RunId.safeParse('r-0001').success).toBe(true);
    expect(RunId.safeParse('\ud800').success).toBe(true);
    expect(RunId.safeParse('r\0').success).toBe(false);
    expect(RunId.safeParse('').success).toBe(false);
  });
});
