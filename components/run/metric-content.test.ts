import { describe, expect, it } from 'vitest';
import type { SeriesBucket, SeriesCurve } from '@/contract/api';
import { toLine } from '@/components/charts/curve';
import type { ChartFrame } from './chart-frame';
import { metricContent } from './metric-content';

const bucket = (step: number, value: number): SeriesBucket => ({
  fromStep: step,
  toStep: step,
  min: value,
  max: value,
  first: value,
  last: value,
  count: 1,
  nonFinite: 0,
});
const curve: SeriesCurve = {
  name: 'reward/mean',
  buckets: [bucket(1, 0.2), bucket(2, 0.4)],
  overwritten: [{ attempt: 1, step: 2, value: 0.3 }],
  position: 9,
};
const frame: ChartFrame = {
  reachedStep: 2,
  lastStep: 10,
  isOver: false,
  isReading: false,
  smoothing: 0,
  pinnedStep: null,
  resumes: [{ step: 1, label: 'resumed, attempt 2' }],
  onPin: () => undefined,
};
const line = toLine(curve.buckets);

describe('content of a small chart', () => {
  it('draws what a resumed attempt has overwritten, but no mark over the curve', () => {
    const content = metricContent(curve, line, frame);
    expect(content.lines.map(({ id, values }) => [id, values])).toEqual([
      ['raw', [0.2, 0.4]],
      ['attempt 1', [0.3]],
    ]);
    expect(content.resumes).toBeUndefined();
  });

  it('puts the smoothed line in front of a fainter raw one', () => {
    const [raw, smoothed] = metricContent(curve, line, { ...frame, smoothing: 0.5 }).lines;
    expect([raw?.id, smoothed?.id]).toEqual(['raw', 'smoothed']);
    expect(raw?.alpha).toBeLessThan(smoothed?.alpha ?? 1);
  });
});
