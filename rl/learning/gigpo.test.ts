import { describe, expect, it } from 'vitest';
import { anchorGroups, episodeAdvantages, gigpoAdvantages, stateAdvantages } from './gigpo';

describe('states of turns', () => {
  const anchors = ['start', 'hall', 'start', 'start', 'hall'];

  it('are those turns of one group that saw the same', () => {
    expect(anchorGroups(anchors, ['a', 'a', 'a', 'b', 'b'])).toEqual([0, 1, 0, 2, 3]);
  });

  it('take in what is similar enough to the first that was seen', () => {
    const seen = ['abcd', 'abce', 'abef', 'abcf'];
    expect(anchorGroups(seen, ['a', 'a', 'a', 'a'], 0.7)).toEqual([0, 0, 1, 0]);
    expect(anchorGroups(seen, ['a', 'b', 'a', 'b'], 0.7)).toEqual([0, 1, 2, 1]);
  });

  it('compare what is seen with the first, in that order', () => {
    // 'tide' is 0.25 like 'diet', which is 0.5 like 'tide'.
    expect(anchorGroups(['diet', 'tide'], ['a', 'a'], 0.4)).toEqual([0, 1]);
    expect(anchorGroups(['tide', 'diet'], ['a', 'a'], 0.4)).toEqual([0, 0]);
  });

  it.each([0, 1, -1, NaN])('refuse the threshold %d', (threshold) => {
    expect(() => anchorGroups(anchors, anchors, threshold)).toThrow(`similarityThreshold is ${threshold}`);
  });
});

describe('the advantages of GiGPO', () => {
  const rows = {
    rewards: [10, 10, 0],
    groupIds: ['g', 'g', 'g'],
    anchors: ['s', 't', 's'],
    stepReturns: [8, 10, 2],
  };

  it('add the weighted advantage among equal states to that of the episode', () => {
    const [first, second, third] = gigpoAdvantages(rows, { scale: 'none', stepWeight: 0.5 });
    expect(first).toBeCloseTo(10 - 20 / 3 + 0.5 * 3, 12);
    expect(second).toBeCloseTo(10 - 20 / 3, 12);
    expect(third).toBeCloseTo(-20 / 3 - 0.5 * 3, 12);
  });

  it('are those of the episode alone with weight 0', () => {
    const scaling = { scale: 'std' } as const;
    expect(gigpoAdvantages(rows, { ...scaling, stepWeight: 0 })).toEqual(episodeAdvantages(rows, scaling));
  });

  it('are 0 for a state visited once, and the reward for a group of one', () => {
    expect(stateAdvantages([5, 1, 3], [0, 1, 1], { scale: 'none' })).toEqual([0, -1, 1]);
    expect(episodeAdvantages({ rewards: [5], groupIds: ['g'] }, { scale: 'none' })).toEqual([5]);
  });

  it('sum to zero in each state', () => {
    const [a = NaN, , c = NaN] = stateAdvantages([0.3, 9, -4], [0, 1, 0], { scale: 'std' });
    expect(a + c).toBeCloseTo(0, 12);
  });
});
