import { describe, expect, it } from 'vitest';
import { aRunDetail, aRunRow } from './fixtures';
import { OVERVIEW, OVERVIEW_CHARTS, OVERVIEW_SERIES, overviewOf, seriesOfOverview } from './overview-series';

function anImportOf(names: readonly string[]) {
  const run = aRunRow({ kind: 'import', recipe: 'import', status: 'finished' });
  const latest = Object.fromEntries(names.map((name) => [name, { step: 4, value: 1 }]));
  const detail = aRunDetail({ run });
  return { ...detail, view: { ...detail.view, latest } };
}

describe('the overview', () => {
  it('of a training is that of every training, before it has a point too', () => {
    const overview = overviewOf(aRunDetail());
    expect(overview.names).toEqual([...OVERVIEW]);
    expect(seriesOfOverview(overview)).toEqual([...OVERVIEW_SERIES]);
  });

  it('of an import has the product’s names that the log has, then the others by name', () => {
    const overview = overviewOf(
      anImportOf(['critic/score/mean', 'actor/lr', 'actor/grad_norm', 'actor/entropy']),
    );
    expect(overview).toEqual({
      names: ['actor/entropy', 'actor/grad_norm', 'actor/lr', 'critic/score/mean'],
      hasTrainingSuccess: false,
      hasTime: false,
      left: 0,
    });
    expect(seriesOfOverview(overview)).toEqual(overview.names);
  });

  it('of an import has no more charts than that of a training, and counts what it leaves', () => {
    const own = Array.from({ length: 30 }, (_, index) => `own/${String(index).padStart(2, '0')}`);
    const overview = overviewOf(anImportOf(['reward/mean', ...own]));
    expect(overview.names).toEqual(['reward/mean', ...own.slice(0, OVERVIEW_CHARTS - 1)]);
    expect(overview.left).toBe(30 - (OVERVIEW_CHARTS - 1));
  });

  it('of an import that has all of a training’s series is that of a training', () => {
    const overview = overviewOf(anImportOf(OVERVIEW_SERIES));
    expect(overview).toEqual(overviewOf(aRunDetail()));
  });

  it('of an import draws one half of a step’s time as a series of its own', () => {
    const overview = overviewOf(anImportOf(['time/train']));
    expect(overview).toMatchObject({ names: ['time/train'], hasTime: false });
  });

  it('of an import without series is empty', () => {
    expect(seriesOfOverview(overviewOf(anImportOf([])))).toEqual([]);
  });
});
