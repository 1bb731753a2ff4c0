import { describe, expect, it } from 'vitest';
import { groupSizeHistogram, indicesByGroup } from './grouping';

describe('groups', () => {
  it('keep the order in which they and their members appear', () => {
    expect([...indicesByGroup(['b', 'a', 'b', 'c', 'a'])]).toEqual([
      ['b', [0, 2]],
      ['a', [1, 4]],
      ['c', [3]],
    ]);
  });

  it('are counted by size', () => {
    expect(groupSizeHistogram(['b', 'a', 'b', 'c', 'd'])).toEqual([
      { size: 1, groups: 3 },
      { size: 2, groups: 1 },
    ]);
    expect(groupSizeHistogram([])).toEqual([]);
  });
});
