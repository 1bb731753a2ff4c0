import { describe, expect, it } from 'vitest';
import { filterWords, readTrajectoriesFilter } from './trajectories-filter';

const read = (search: string) => readTrajectoriesFilter(new URLSearchParams(search));

describe('filter of trajectories', () => {
  it('shows the newest hundred without parameters', () => {
    expect(read('').query).toEqual({ order: 'newest', limit: 100 });
  });

  it('reads filters and order from the URL', () => {
    const search =
      'step=10&phase=train&success=false&sort=turns&stopReason=turn_limit&minTurns=3&maxReward=-0.5&text=red+ball&flag=loop';
    expect(read(search)).toEqual({
      query: {
        step: 10,
        phase: 'train',
        success: 'false',
        order: 'turns',
        limit: 100,
        stopReason: 'turn_limit',
        minTurns: 3,
        maxReward: -0.5,
        text: 'red ball',
        flag: 'loop',
      },
      ignored: [],
    });
  });

  it('leaves out what is no filter and says so', () => {
    const { query, ignored } = read('step=-1&phase=lunch&sort=best&split=valid_seen&minReward=x');
    expect(query).toEqual({ split: 'valid_seen', order: 'newest', limit: 100 });
    expect(ignored).toEqual(['step=-1', 'phase=lunch', 'minReward=x', 'sort=best']);
  });

  it('names each filter in force', () => {
    const search = 'step=0&success=false&stopReason=turn_limit&minTurns=2&maxReward=0&text=door';
    expect(filterWords(read(search).query).map((filter) => filter.words)).toEqual([
      'step 0',
      'failed',
      'ended by turn limit',
      'at least 2 turns',
      'reward at most 0',
      'text door',
    ]);
  });
});
