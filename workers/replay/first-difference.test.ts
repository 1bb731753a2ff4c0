import { describe, expect, it } from 'vitest';
import { fromFirstDifference } from './first-difference';

describe('fromFirstDifference', () => {
  it('leaves short texts whole', () => {
    expect(fromFirstDifference('red ball', 'red box')).toEqual(['red ball', 'red box']);
  });

  it('cuts what long texts share, but for forty characters', () => {
    const shared = 'a'.repeat(100);
    const lead = `... ${'a'.repeat(40)}`;
    expect(fromFirstDifference(`${shared}left`, `${shared}right`)).toEqual([`${lead}left`, `${lead}right`]);
  });

  it('shows that one text goes on where the other ends', () => {
    expect(fromFirstDifference('ab', 'abc')).toEqual(['ab', 'abc']);
  });

  it('bounds what follows', () => {
    const [left] = fromFirstDifference('x'.repeat(1000), 'y');
    expect(left).toBe('x'.repeat(160));
  });
});
