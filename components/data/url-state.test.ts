import { describe, expect, it } from 'vitest';
import { countParam, withChanges } from './url-state';

describe('state in the URL', () => {
  it('changes what is named and keeps the rest', () => {
    expect(withChanges('/runs', '?text=a&status=lost', { text: 'b' })).toBe('/runs?text=b&status=lost');
    expect(withChanges('/runs', '?text=a&status=lost', { text: '', status: null })).toBe('/runs');
    expect(withChanges('/runs/r-1', '', { at: 0 })).toBe('/runs/r-1?at=0');
  });

  it('reads counts and refuses everything else', () => {
    const params = new URLSearchParams('a=0&b=17&c=-1&d=1e3&e=');
    expect(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => countParam(params, name))).toEqual([
      0,
      17,
      null,
      null,
      null,
      null,
    ]);
  });
});
