import { describe, expect, it } from 'vitest';
import { readExpression, typedNames } from './expression';

const source = (text: string) => ({ file: 'f', part: 'p', text });

describe('readExpression', () => {
  it('reads lists in lists, lower-cased, without comments', () => {
    const read = readExpression(source('; head\n(A (b ?C) ; tail (\n () d-e)'));
    expect(read).toEqual({
      offset: 7,
      items: ['a', { offset: 10, items: ['b', '?c'] }, { offset: 27, items: [] }, 'd-e'],
    });
  });

  it.each([
    ['(a\n (b)', 'f: p, line 1: this parenthesis is never closed'],
    ['(a)\n)', 'f: p, line 2: expected the end, got ")"'],
    [')', 'f: p, line 1: this parenthesis closes nothing'],
    ['(a)\n\nb', 'f: p, line 3: expected the end, got "b"'],
    ['a b', 'f: p, line 1: expected "(", got "a b"'],
    ['; nothing', 'f: p, line 1: expected "(", got nothing'],
    ['('.repeat(101), 'f: p, line 1: lists nest more than 100 deep'],
  ])('names the place of what is wrong in %j', (text, message) => {
    expect(() => readExpression(source(text))).toThrow(message);
  });
});

describe('typedNames', () => {
  const read = (text: string) => typedNames(readExpression(source(text)), source(text));

  it('gives names before a dash its type, the rest object', () => {
    expect(read('(a b - x c - y d)').map(({ name, type }) => `${name}:${type}`)).toEqual([
      'a:x',
      'b:x',
      'c:y',
      'd:object',
    ]);
  });

  it('keeps a comma in the name it stands at', () => {
    expect(read('(?l - location, ?r - receptacle)').map(({ type }) => type)).toEqual([
      'location,',
      'receptacle',
    ]);
  });

  it('refuses a dash without names or type', () => {
    expect(() => read('(a -)')).toThrow('a dash must stand between names and their type');
    expect(() => read('(- x)')).toThrow('a dash must stand between names and their type');
  });
});
