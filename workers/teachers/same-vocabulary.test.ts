import { describe, expect, it } from 'vitest';
import type { Tokenizer } from '@/contract/engine';
import { requireSameVocabulary } from './same-vocabulary';

/** A token is a character of the alphabet; others are written with its last one. */
function letters(alphabet: string): Tokenizer {
  const unknown = alphabet.length - 1;
  const encode = (text: string) =>
    [...text].map((letter) => (alphabet.includes(letter) ? alphabet.indexOf(letter) : unknown));
  return {
    vocabularySize: alphabet.length,
    encode,
    decode: (ids) => ids.map((id) => alphabet[id] ?? '').join(''),
    specialId: () => 0,
    renderChat: () => '',
    encodeChat: () => [],
  };
}

const names = { student: 'ours', teacher: 'theirs' };
const refusal = (student: Tokenizer, teacher: Tokenizer) => () =>
  requireSameVocabulary(student, teacher, names);

describe('a teacher’s vocabulary', () => {
  it('that is the student’s is taken', () => {
    expect(refusal(letters('abc?'), letters('abc?'))).not.toThrow();
  });

  it('of another size, or with another text to an id, is refused with the place where they part', () => {
    expect(refusal(letters('abc?'), letters('abcd?'))).toThrow(
      'the teacher theirs cannot score tokens of ours: its vocabulary has 5 ids, the student’s 4',
    );
    expect(refusal(letters('abc?'), letters('acb?'))).toThrow('id 1 is "c" to it, "b" to the student');
  });

  it('that cuts a text differently is refused though its ids are the same texts', () => {
    const whole = letters('Thou?');
    const coarse: Tokenizer = { ...whole, encode: (text) => whole.encode(text).slice(1) };
    expect(refusal(whole, coarse)).toThrow('they cut a text differently from its token 0 on');
  });
});
