import { describe, expect, it } from 'vitest';
import { markHits, parseSearch, wordsOf } from './text-search';

describe('a search', () => {
  it.each([
    ['red ball', [['red'], ['ball']]],
    ['"red ball" key', [['red', 'ball'], ['key']]],
    ['red-ball', [['red', 'ball']]],
    ['pick_two_obj', [['pick', 'two', 'obj']]],
    ['<think>', [['think']]],
    ['a "b c', [['a'], ['b', 'c']]],
    ['Überraschung 42', [['Überraschung'], ['42']]],
    ['红球', [['红', '球']]],
    ['  ', []],
    ['?! "" *', []],
    ['!!!', []],
    ['€ 😀', []],
    ['red 😀', [['red']]],
  ])('%j asks for %j', (text, words) => {
    expect(parseSearch(text).map((term) => term.words)).toEqual(words);
  });

  it('asks for words that begin so where it ends in a star', () => {
    expect(parseSearch('refrig* door')).toEqual([
      { words: ['refrig'], isPrefix: true },
      { words: ['door'], isPrefix: false },
    ]);
  });

  it('never holds a character that a query language could read', () => {
    const all = Array.from({ length: 0x2ff }, (_, index) => String.fromCharCode(index + 1)).join('x');
    for (const word of wordsOf(all)) expect(word).toMatch(/^[0-9A-Za-z\u00aa-\u02ff]+$/);
  });
});

describe('hits in a snippet', () => {
  const hits = (text: string, search: string) =>
    markHits(text, parseSearch(search)).flatMap((piece) => (piece.isHit ? [piece.text] : []));

  it.each([
    ['Open the door; doors stay.', 'door', ['door']],
    ['Open the door; doors stay.', 'door*', ['door', 'doors']],
    ['A RED  ball and a red box', '"red ball"', ['RED  ball']],
    ['go to red ball 1', 'red go', ['go', 'red']],
    ['去拿红球。', '红球', ['红球']],
    ['nothing here', 'door', []],
  ])('of %j for %j are %j', (text, search, found) => {
    expect(hits(text, search)).toEqual(found);
  });

  it('leave the text as it was once its pieces are joined', () => {
    const text = 'door, a door & <b>door</b>';
    expect(
      markHits(text, parseSearch('door'))
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });
});
