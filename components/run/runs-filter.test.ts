import { describe, expect, it } from 'vitest';
import { aRunRow } from './fixtures';
import { countStatuses, filterRuns, readRunsFilter } from './runs-filter';

const runs = [
  aRunRow({ id: 'r-0001', name: 'first look', status: 'running', seed: 1, workerName: 'desk' }),
  aRunRow({ id: 'r-0002', name: 'first seed 2', status: 'failed', seed: 2 }),
  aRunRow({ id: 'r-0003', name: 'no penalty', status: 'running', seed: 3 }),
];
const ids = (text: string) => filterRuns(runs, { text, statuses: [] }).map((run) => run.id);

describe('filter of the list of runs', () => {
  it('keeps runs in which every word occurs somewhere', () => {
    expect(ids('FIRST seed 2')).toEqual(['r-0002']);
    expect(ids('desk')).toEqual(['r-0001']);
    expect(ids('r-0003')).toEqual(['r-0003']);
    expect(ids('')).toHaveLength(3);
    expect(ids('nothing such')).toEqual([]);
  });

  it('reads statuses from the URL and leaves out words that are none', () => {
    const filter = readRunsFilter(new URLSearchParams('status=running,bogus,running&text=no'));
    expect(filter).toEqual({ text: 'no', statuses: ['running'] });
    expect(filterRuns(runs, filter).map((run) => run.id)).toEqual(['r-0003']);
  });

  it('counts statuses under the text filter, not under the status filter', () => {
    expect([...countStatuses(runs, 'first')]).toEqual([
      ['running', 1],
      ['failed', 1],
    ]);
  });
});
