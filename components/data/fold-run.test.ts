import { describe, expect, it } from 'vitest';
import type { SeriesCurve, SeriesSum } from '@/contract/api';
import type { PublishedEvent, PublishedPayload } from '@/contract/run-events';
import { aRunDetail, aRunRow } from '@/components/run/fixtures';
import { addPoints, appendPoints, continues, foldRunDetail, newerDetail } from './fold-run';

const at = (position: number, event: PublishedPayload, attempt = 1): PublishedEvent => ({
  position,
  attempt,
  seq: position,
  at: 1000 * position,
  event,
});
const points = (position: number, step: number, value: number | 'NaN') =>
  at(position, { kind: 'points:measured', step, points: [{ name: 'reward/mean', value }] });
const log = (position: number) => at(position, { kind: 'log:written', level: 'info', message: 'line' });
const curve: SeriesCurve = {
  name: 'reward/mean',
  overwritten: [],
  position: 10,
  buckets: [{ fromStep: 1, toStep: 1, min: 0.1, max: 0.1, first: 0.1, last: 0.1, count: 1, nonFinite: 0 }],
};

describe('order of events', () => {
  it('is whole where no position is missing, doubles included', () => {
    expect(continues(10, [log(9), log(10), log(11), log(11), log(12)])).toBe(true);
    expect(continues(10, [log(12)])).toBe(false);
    expect(continues(10, [log(11), log(13)])).toBe(false);
    expect(continues(10, [])).toBe(true);
  });
});

describe('a run in the cache', () => {
  it('folds events into view and row alike', () => {
    const folded = foldRunDetail(aRunDetail(), [
      points(11, 12, 0.7),
      at(12, { kind: 'step:finished', step: 12, steps: 120 }),
    ]);
    expect(folded.view.position).toBe(12);
    expect(folded.run).toMatchObject({ step: 12, steps: 120, rewardMean: 0.7 });
  });

  it('is the very same value after events that it already holds', () => {
    const detail = aRunDetail();
    expect(foldRunDetail(detail, [log(9), log(10)])).toBe(detail);
  });

  it('never goes back: a slow answer keeps the newer view but for its evaluations, which no fold has; another run’s answer does not', () => {
    const newer = foldRunDetail(aRunDetail(), [log(11), log(12)]);
    expect(newerDetail(newer, aRunDetail()).view.position).toBe(12);
    const figure = { step: 10, split: 'valid_seen', successes: 7, n: 10, evaluations: 2 } as const;
    const evaluated = aRunDetail({ run: aRunRow({ lastEvaluation: figure }) });
    expect(newerDetail(newer, evaluated)).toMatchObject({
      view: { position: 12 },
      run: { lastEvaluation: figure },
    });
    const other = aRunDetail({ run: aRunRow({ id: 'r-0002' }) });
    expect(newerDetail(newer, other)).toBe(other);
    expect(newerDetail(undefined, other)).toBe(other);
  });
});

describe('live points', () => {
  it('are appended to the curve of their name, non-finite ones as a gap', () => {
    const appended = appendPoints([curve], [points(11, 2, 0.4), points(12, 3, 'NaN'), log(13)]);
    expect(appended?.[0]?.position).toBe(13);
    expect(appended?.[0]?.buckets.slice(1)).toEqual([
      { fromStep: 2, toStep: 2, min: 0.4, max: 0.4, first: 0.4, last: 0.4, count: 1, nonFinite: 0 },
      { fromStep: 3, toStep: 3, min: null, max: null, first: null, last: null, count: 0, nonFinite: 1 },
    ]);
    expect(curve.buckets).toHaveLength(1);
  });

  it('join the bucket that holds their step', () => {
    const wide = { ...curve, buckets: curve.buckets.map((bucket) => ({ ...bucket, toStep: 4 })) };
    const bucket = appendPoints([wide], [points(11, 3, 0.4)])?.[0]?.buckets[0];
    expect(bucket).toMatchObject({ min: 0.1, max: 0.4, first: 0.1, last: 0.4, count: 2 });
  });

  it('of a later attempt replace the point at their step, which stays as overwritten', () => {
    const event = points(11, 1, 0.3);
    const appended = appendPoints([curve], [{ ...event, attempt: 2 }])?.[0];
    expect(appended?.buckets).toHaveLength(1);
    expect(appended?.buckets[0]).toMatchObject({ min: 0.3, max: 0.3, last: 0.3, count: 1 });
    expect(appended?.overwritten).toEqual([{ attempt: 1, step: 1, value: 0.1 }]);
  });

  it('are not appended across a hole, nor past the start of another attempt', () => {
    expect(appendPoints([curve], [points(12, 2, 0.4)])).toBeNull();
    const starting = at(
      11,
      { kind: 'status:changed', status: 'starting', reason: null, resumedFromStep: 0 },
      2,
    );
    expect(appendPoints([curve], [starting])).toBeNull();
  });
});

describe('sums of series', () => {
  const sum: SeriesSum = {
    name: 'reward/mean',
    sum: 5,
    overwritten: 0,
    count: 4,
    lastStep: 4,
    position: 10,
  };

  it('grow by live points of their name, non-finite ones left out', () => {
    const cost = at(13, { kind: 'points:measured', step: 6, points: [{ name: 'cost/total', value: 9 }] });
    const events = [points(10, 4, 1), points(11, 5, 0.5), points(12, 6, 'NaN'), cost, log(14)];
    expect(addPoints([sum], events)).toEqual([{ ...sum, sum: 5.5, count: 5, lastStep: 6, position: 14 }]);
  });

  it('are asked for again across a hole and where an attempt repeats a step', () => {
    expect(addPoints([sum], [points(12, 5, 1)])).toBeNull();
    const again = (step: number) => [{ ...points(11, step, 1), attempt: 2 }];
    expect(addPoints([sum], again(4))).toBeNull();
    expect(addPoints([sum], again(5))).toMatchObject([{ sum: 6, lastStep: 5 }]);
  });
});
