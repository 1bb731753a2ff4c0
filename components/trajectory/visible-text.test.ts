import { describe, expect, it } from 'vitest';
import { visiblePieces } from './visible-text';

const write = (text: string) =>
  visiblePieces(text)
    .map((piece) => (piece.spelled ? `<${piece.spelled} ${piece.text}>` : piece.text))
    .join('');

describe('text of models and environments', () => {
  it('leaves plain text of any script in one piece', () => {
    const text = 'Thought: 我看到 a “red” ball 👍\n\tAction: go';
    expect(visiblePieces(text)).toEqual([{ text, spelled: null }]);
    expect(visiblePieces('')).toEqual([]);
  });

  it('spells out the escape of a terminal colour', () => {
    expect(write('\u001b[31mred\u001b[0m')).toBe('<control ESC>[31mred<control ESC>[0m');
  });

  it('spells out NUL, carriage return and delete', () => {
    expect(write('a\u0000b\rc\u007f\u0085')).toBe(
      'a<control NUL>b<control CR>c<control DEL><control U+0085>',
    );
  });

  it('spells out what would turn or hide text', () => {
    expect(write('go\u202Etfel\u200b\ufeff')).toBe(
      'go<direction U+202E>tfel<invisible U+200B><invisible U+FEFF>',
    );
  });

  it('spells out a surrogate without its other half, and no whole pair', () => {
    expect(write('a\ud83db\udc4d👍')).toBe('a<surrogate U+D83D>b<surrogate U+DC4D>👍');
  });
});
