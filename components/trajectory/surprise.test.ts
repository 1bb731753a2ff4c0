import { describe, expect, it } from 'vitest';
import { meanSurprise } from './surprise';

describe('surprise of tokens', () => {
  it('averages over sampled tokens and is missing without any', () => {
    expect(meanSurprise([-1, null, -3])).toBe(2);
    expect(meanSurprise([null])).toBeNull();
    expect(meanSurprise([])).toBeNull();
  });
});
