import { describe, expect, it } from 'vitest';
import { aListedRun } from '@/components/run/fixtures';
import { withChangedRuns } from './changed-runs';

const run = (id: string, createdAt: number, step = 0) => aListedRun({ id, createdAt, step });
const pages = [[run('c', 3), run('b', 2)], [run('a', 1)]];
const newest = { sort: 'newest', direction: 'desc' } as const;
const ids = (changed: ReturnType<typeof withChangedRuns>) =>
  changed.map((page) => page.map(({ id, step }) => `${id}${step}`).join(' '));

describe('changed runs', () => {
  it('are replaced where they stand', () => {
    expect(ids(withChangedRuns(pages, ['b', 'a'], [run('a', 1, 5), run('b', 2, 7)], newest))).toEqual([
      'c0 b7',
      'a5',
    ]);
  });

  it('that no longer match are taken out', () => {
    expect(ids(withChangedRuns(pages, ['c'], [], newest))).toEqual(['b0', 'a0']);
  });

  it('that are new are put in front where the newest come first, and nowhere else', () => {
    expect(ids(withChangedRuns(pages, ['d'], [run('d', 4)], newest))).toEqual(['d0 c0 b0', 'a0']);
    const byStep = { sort: 'step', direction: 'desc' } as const;
    expect(ids(withChangedRuns(pages, ['d'], [run('d', 4)], byStep))).toEqual(['c0 b0', 'a0']);
    expect(ids(withChangedRuns([], ['d'], [run('d', 4)], newest))).toEqual(['d0']);
  });

  it('of pages that were not read yet stay away', () => {
    expect(ids(withChangedRuns([[run('c', 3)]], ['old'], [run('old', 1)], newest))).toEqual(['c0']);
  });
});
