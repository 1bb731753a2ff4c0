import { describe, expect, it } from 'vitest';
import type { SeriesBucket } from '@/contract/api';
import { alignLines, toBand, toLine, toNonFinite, toOverwritten, valueAt, isSinglePoint } from './curve';

const bucket = (parts: Partial<SeriesBucket>): SeriesBucket => ({
  fromStep: 1,
  toStep: 1,
  min: 1,
  max: 1,
  first: 1,
  last: 1,
  count: 1,
  nonFinite: 0,
  ...parts,
});

describe('curves of a series', () => {
  it('draws the last finite value of a bucket and leaves a gap where it has none', () => {
    const buckets = [
      bucket({ toStep: 3, first: 1, last: 4, max: 4, count: 3 }),
      bucket({ toStep: 4, min: null, max: null, first: null, last: null, count: 0, nonFinite: 2 }),
    ];
    expect(toLine(buckets)).toEqual({ steps: [3, 4], values: [4, null] });
    expect(toNonFinite(buckets)).toEqual([{ step: 4, count: 2 }]);
    expect(toBand(buckets)).toEqual({ steps: [3], lows: [1], highs: [4] });
  });

  it('draws no band where each bucket is one point', () => {
    expect(toBand([bucket({}), bucket({ fromStep: 2, toStep: 2 })])).toBeNull();
  });

  it('keeps what a newer attempt has overwritten, one line an attempt, in order of steps', () => {
    const overwritten = [
      { attempt: 2, step: 9, value: 0.9 },
      { attempt: 1, step: 8, value: 'NaN' as const },
      { attempt: 1, step: 7, value: 0.7 },
    ];
    expect(toOverwritten({ name: 'reward/mean', buckets: [], overwritten, position: 1 })).toEqual([
      { attempt: 1, line: { steps: [7, 8], values: [0.7, null] } },
      { attempt: 2, line: { steps: [9], values: [0.9] } },
    ]);
  });

  it('reads the value at a step or the newest before it', () => {
    const line = { steps: [1, 5, 9], values: [0.1, null, 0.9] };
    expect(valueAt(line, 6)).toEqual({ step: 1, value: 0.1 });
    expect(valueAt(line, 9)).toEqual({ step: 9, value: 0.9 });
    expect(valueAt(line, 0)).toBeNull();
  });

  it('lays lines over one axis and tells a gap from a step without a point', () => {
    const data = alignLines([
      { steps: [1, 2, 3], values: [1, null, 3] },
      { steps: [2, 10], values: [20, 100] },
    ]);
    expect(data).toEqual([
      [1, 2, 3, 10],
      [1, null, 3, undefined],
      [undefined, 20, undefined, 100],
    ]);
  });
});

describe('a single point', () => {
  it('is what a line through it would not show', () => {
    expect(isSinglePoint([null, 0.5, undefined, null])).toBe(true);
    expect(isSinglePoint([])).toBe(true);
    expect(isSinglePoint([0, null, 0])).toBe(false);
  });
});
