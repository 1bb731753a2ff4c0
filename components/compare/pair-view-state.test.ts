import { describe, expect, it } from 'vitest';
import { withChanges } from '@/components/data/url-state';
import { pairPath, pairStateChanges, readPairState } from './pair-view-state';

describe('the view of a pair in its URL', () => {
  it('comes back as it was, what is usual being left out', () => {
    const state = { row: 4, list: false, unfolded: true, heat: 'entropy', diff: true } as const;
    const url = withChanges('/pair', '?a=1&b=2', pairStateChanges(state));
    expect(url).toBe('/pair?a=1&b=2&t=5&list=0&loops=open&heat=entropy&diff=1');
    expect(readPairState(new URL(url, 'http://x').searchParams)).toEqual(state);
    const usual = { row: null, list: true, unfolded: false, heat: 'logprob', diff: false } as const;
    expect(withChanges('/pair', '', pairStateChanges(usual))).toBe('/pair');
    expect(readPairState(new URLSearchParams())).toEqual(usual);
  });

  it('keeps each trajectory on its side', () => {
    expect(pairPath('a', '7', '8')).toBe('/pair?a=7&b=8');
    expect(pairPath('b', '7', '8')).toBe('/pair?a=8&b=7');
  });
});
