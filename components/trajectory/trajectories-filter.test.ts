import { describe, expect, it } from 'vitest';
import { filterWords, readTrajectoriesFilter } from './trajectories-filter';

const read = (search: string) => readTrajectoriesFilter(new URLSearchParams(search));

describe('filter of trajectories', () => {
  it('shows the newest hundred without parameters', () => {
    expect(read('').query).toEqual({ order: 'newest', limit: 100, offset: 0 });
  });

  it('reads filters, order and page from the URL', () => {
    expect(read('step=10&phase=train&success=false&sort=turns&offset=100').query).toEqual({
      step: 10,
      phase: 'train',
      success: 'false',
      order: 'turns',
      limit: 100,
      offset: 100,
    });
  });

  it('leaves out what is no filter and says so', () => {
    const { query, ignored } = read('step=-1&phase=lunch&sort=best&split=valid_seen');
    expect(query).toEqual({ split: 'valid_seen', order: 'newest', limit: 100, offset: 0 });
    expect(ignored).toEqual(['step=-1', 'phase=lunch', 'sort=best']);
  });

  it('names each filter in force', () => {
    expect(filterWords(read('step=0&success=false').query).map((filter) => filter.words)).toEqual([
      'step 0',
      'failed',
    ]);
  });
});
