import { describe, expect, it } from 'vitest';
import { MAX_SERIES_ASKED, SeriesQuery } from '@/contract/api';
import { METRICS } from '@/contract/metrics';
import { matchesName, otherSeries, seriesGroups, trainingMetrics } from './other-series';

describe('training metrics', () => {
  it('are those of every run, and the occasional ones that the run has', () => {
    const latest = { 'cost/total': { step: 4, value: 1 }, 'own/a': { step: 4, value: 1 } };
    const always = METRICS.map(({ name }) => name);
    expect(trainingMetrics({ latest }, true)).toEqual([...always, 'cost/total']);
    expect(otherSeries([], { latest })).toEqual(['own/a']);
  });

  it('are only those that it gave where a run does not train', () => {
    const latest = { 'reward/mean': { step: 4, value: 1 }, 'cost/total': { step: 4, value: 1 } };
    expect(trainingMetrics({ latest }, false)).toEqual(['reward/mean', 'cost/total']);
    expect(trainingMetrics({ latest: {} }, false)).toEqual([]);
  });
});

describe('other series', () => {
  it('are those that are no metric of the product, stored or heard of since, each once', () => {
    const stored = ['reward/mean', 'own/b', 'eval/valid_seen/success_rate'].map((name) => ({
      name,
      count: 3,
    }));
    const latest = { 'own/b': { step: 4, value: 1 }, 'own/a': { step: 4, value: 1 } };
    expect(otherSeries(stored, { latest })).toEqual(['eval/valid_seen/success_rate', 'own/a', 'own/b']);
  });

  it('come in groups that a query may ask for, none left out', () => {
    const names = Array.from({ length: 2 * MAX_SERIES_ASKED + 1 }, (_, index) => `own/${index}`);
    const groups = seriesGroups(names);
    expect(groups.flat()).toEqual(names);
    for (const name of groups) expect(() => SeriesQuery.parse({ name })).not.toThrow();
    expect(seriesGroups([])).toEqual([]);
  });

  it.each([
    ['', true],
    ['LAYER norm', true],
    ['layer_1', true],
    ['layer_2', false],
  ])('filtered by %j keep probe/layer_1/norm: %s', (filter, kept) => {
    expect(matchesName('probe/layer_1/norm', filter)).toBe(kept);
  });
});
