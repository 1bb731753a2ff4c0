import { describe, expect, it } from 'vitest';
import { isDecimal, QueryInteger, queryInteger, QueryNumber, RunId } from './bounds';

describe('a whole number of a query string', () => {
  it.each([
    ['0', 0],
    ['2147483647', 2_147_483_647],
    [12, 12],
    [' 5 ', 5],
  ])('reads %j', (text, expected) => {
    expect(QueryInteger.parse(text)).toBe(expected);
  });

  it.each([
    '',
    ' ',
    '-1',
    '1.5',
    'abc',
    '2147483648',
    '1e30',
    '0x10',
    '1e2',
    '0b1',
    '5 5',
    '9'.repeat(400),
    undefined,
  ])('refuses %j', (text) => {
    expect(QueryInteger.safeParse(text).success).toBe(false);
  });

  it('has the bounds it is given', () => {
    expect(queryInteger(1, 5).parse('5')).toBe(5);
    expect(queryInteger(1, 5).safeParse('0').success).toBe(false);
    expect(queryInteger(1, 5).safeParse('0x3').success).toBe(false);
  });
});

describe('a number of a query string', () => {
  it.each([
    ['0', 0],
    ['-0.5', -0.5],
    ['1e-7', 1e-7],
    ['.5', 0.5],
    [0.25, 0.25],
  ])('reads %j', (text, expected) => {
    expect(QueryNumber.parse(text)).toBe(expected);
  });

  it.each(['', ' ', '0x10', '0b11', 'Infinity', 'NaN', '1e400', '---', 'e', '1_000', undefined])(
    'refuses %j',
    (text) => {
      expect(QueryNumber.safeParse(text).success).toBe(false);
    },
  );

  it('is a decimal text where a double can hold it', () => {
    expect(['1.5e+21', '-12', '1e999', 'e', '1.2.3', ''].map(isDecimal)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
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
