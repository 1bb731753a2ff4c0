import { describe, expect, it } from 'vitest';
import { unstorableTexts } from './storable-text';

describe('texts that could not be stored', () => {
  it('are found at any depth, each with its path, the character and its position', () => {
    const value = { a: 'a\0b', list: [1, null, { deep: 'x\ud83d' }], fine: '👩‍🚀 \u001b \u202e' };
    expect(unstorableTexts(value)).toEqual([
      {
        path: ['a'],
        message: 'expected text without NUL and halves of surrogate pairs, got U+0000 at position 1',
      },
      {
        path: ['list', 2, 'deep'],
        message: 'expected text without NUL and halves of surrogate pairs, got U+D83D at position 1',
      },
    ]);
  });
});
