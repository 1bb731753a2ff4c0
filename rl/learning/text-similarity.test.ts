import { describe, expect, it } from 'vitest';
import { textSimilarity } from './text-similarity';

describe('the similarity of two texts', () => {
  it('is the share of both that lies in common blocks', () => {
    expect(textSimilarity('abcd', 'bcde')).toBe(0.75);
    expect(textSimilarity('abxcd', 'abcd')).toBe(8 / 9);
    expect(textSimilarity('', 'a')).toBe(0);
    expect(textSimilarity('', '')).toBe(1);
  });

  it('depends on which comes first', () => {
    expect([textSimilarity('tide', 'diet'), textSimilarity('diet', 'tide')]).toEqual([0.25, 0.5]);
  });

  it('counts code points', () => {
    expect(textSimilarity('😀a', '😀b')).toBe(0.5);
  });

  it('starts no match at a character that is popular in a second text of 200 or more', () => {
    const text = 'x'.repeat(200);
    expect(textSimilarity(`a${text}`, `b${text}`)).toBe(0);
    expect(textSimilarity(`ab${text}`, `ab${text}`)).toBe(1);
    expect(textSimilarity(`a${'x'.repeat(198)}`, `b${'x'.repeat(198)}`)).toBe(396 / 398);
  });
});
