import { describe, expect, it } from 'vitest';
import { spread } from './spread';

describe('labels of reference lines', () => {
  it('stay where they are when there is room', () => {
    expect(spread([10, 40, 80], 12, 100)).toEqual([10, 40, 80]);
  });

  it('move down past each other and up from the edge, in their own order', () => {
    expect(spread([12, 10], 12, 100)).toEqual([22, 10]);
    expect(spread([95, 96, 97], 12, 100)).toEqual([76, 88, 100]);
  });
});
