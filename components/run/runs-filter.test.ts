import { describe, expect, it } from 'vitest';
import { readRunsFilter } from './runs-filter';

const read = (search: string) => readRunsFilter(new URLSearchParams(search));

describe('filter of the list of runs', () => {
  it('shows the newest without parameters', () => {
    expect(read('')).toEqual({ sort: 'newest', direction: 'desc', limit: 100 });
  });

  it('reads filters and order from the URL', () => {
    expect(
      read('text=no&status=running,lost&kind=import&recipe=grpo&environment=babyai&sort=best&direction=asc'),
    ).toEqual({
      text: 'no',
      status: ['running', 'lost'],
      kind: 'import',
      recipe: 'grpo',
      environment: 'babyai',
      sort: 'best',
      direction: 'asc',
      limit: 100,
    });
  });

  it('leaves out what is no filter', () => {
    expect(read('status=bogus&kind=lunch&sort=luck&text=no')).toEqual({
      text: 'no',
      sort: 'newest',
      direction: 'desc',
      limit: 100,
    });
  });
});
