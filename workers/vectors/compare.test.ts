import { describe, expect, it } from 'vitest';
import { firstDifference } from './compare';

const TOLERANCE = { relative: 0.1, absolute: 0.01 };

const differs = (expected: unknown, actual: unknown) =>
  firstDifference(expected, actual, TOLERANCE)?.path ?? null;

describe('firstDifference', () => {
  it('grants numbers the absolute tolerance and the relative one of what is expected', () => {
    expect(differs(10, 11.01)).toBeNull();
    expect(differs(10, 11.02)).toBe('');
    expect(differs(0, -0.01)).toBeNull();
    expect(differs(0, 0.02)).toBe('');
  });

  it('names where lists and records part', () => {
    expect(differs({ a: [{ b: [1, 2] }] }, { a: [{ b: [1, 9] }] })).toBe('a.0.b.1');
    expect(differs({ a: [1] }, { a: [1, 1] })).toBe('a');
    expect(differs({ a: 1 }, {})).toBe('a');
    expect(differs({ a: 1 }, { a: 1, b: 2 })).toBeNull();
    expect(differs({ a: [] }, { a: {} })).toBe('a');
  });

  it('compares NaN and the infinities as themselves, however they are written', () => {
    expect(differs('NaN', NaN)).toBeNull();
    expect(differs(NaN, 'NaN')).toBeNull();
    expect(differs('NaN', 0)).toBe('');
    expect(differs(0, NaN)).toBe('');
    expect(differs('Infinity', Infinity)).toBeNull();
    expect(differs('Infinity', 1e300)).toBe('');
    expect(differs('-Infinity', Infinity)).toBe('');
  });

  it('compares texts, truth and nothing exactly', () => {
    expect(differs('a', 'b')).toBe('');
    expect(differs(true, true)).toBeNull();
    expect(differs(true, 1)).toBe('');
    expect(differs(null, undefined)).toBe('');
    expect(differs(null, null)).toBeNull();
  });

  it('grants token ids, indices and masks nothing', () => {
    expect(differs({ target_tokens: [1000, 0] }, { target_tokens: [1001, 0] })).toBe('target_tokens.0');
    expect(differs({ datum: { mask: [1] } }, { datum: { mask: [0.995] } })).toBe('datum.mask.0');
    expect(differs({ logprobs: [1] }, { logprobs: [0.995] })).toBeNull();
  });
});
