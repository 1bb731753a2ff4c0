import { describe, expect, it } from 'vitest';
import { deviates, hasUnequalRewards, keepGroups, membersOfUpdate } from './dynamic-sampling';

describe('groups worth keeping', () => {
  it('deviate, or have one member, by DAPO’s rule in double arithmetic', () => {
    expect(deviates([1, 0, 1])).toBe(true);
    expect(deviates([1, 1, 1])).toBe(false);
    expect(deviates([1])).toBe(true);
    expect(deviates([0.1, 0.1, 0.1])).toBe(true);
  });

  it.each([
    // One by one, ten times 0.1 is not 1.
    { value: 0.1, count: 10, kept: false },
    { value: 0.3, count: 128, kept: true },
    { value: 0.3, count: 129, kept: true },
    { value: 0.3, count: 300, kept: false },
  ])('sum $count times $value in numpy’s order', ({ value, count, kept }) => {
    expect(deviates(new Array<number>(count).fill(value))).toBe(kept);
  });

  it('have unequal rewards by verl-agent’s', () => {
    expect(hasUnequalRewards([0.1, 0.1, 0.1])).toBe(false);
    expect(hasUnequalRewards([9.9, 9.899999999999999])).toBe(true);
    expect(hasUnequalRewards([1])).toBe(false);
  });
});

describe('dynamic sampling', () => {
  const none = { batches: 0, groups: 0, members: [] as string[] };
  const batch = {
    members: ['a1', 'b1', 'a2', 'b2'],
    groupIds: ['a', 'b', 'a', 'b'],
    metrics: [1, 0, 1, 1],
  };
  const settings = { groups: 2, groupSize: 2, maxBatches: 2 };

  it('keeps whole groups in the batch’s order and asks for more until there are enough', () => {
    const once = keepGroups(none, batch, deviates);
    expect(once).toEqual({ batches: 1, groups: 1, members: ['b1', 'b2'] });
    expect(membersOfUpdate(once, settings)).toBeNull();
    const twice = keepGroups(once, batch, deviates);
    expect(membersOfUpdate(twice, settings)).toEqual(['b1', 'b2', 'b1', 'b2']);
  });

  it('cuts what is too much', () => {
    const kept = { batches: 1, groups: 3, members: ['a', 'b', 'c', 'd', 'e', 'f'] };
    expect(membersOfUpdate(kept, settings)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('ends with an error at the most batches allowed, and never where any number is', () => {
    const kept = { batches: 2, groups: 1, members: ['b1', 'b2'] };
    expect(() => membersOfUpdate(kept, settings)).toThrow('1 of 2 groups have rewards that differ after 2');
    expect(membersOfUpdate(kept, { ...settings, maxBatches: 0 })).toBeNull();
  });
});
