import { describe, expect, it } from 'vitest';
import { aSummary } from './trajectory-factory';
import { groupRewards, groupTrajectories } from './trajectory-groups';

const sampleOf = (id: string, group: number, sample: number, shapedReward: number) =>
  aSummary(id, { phase: 'train', group, sample, shapedReward, success: shapedReward > 0 });

describe('training groups', () => {
  it('gathers each group under one heading, samples ascending, groups in order of appearance', () => {
    const rows = [
      sampleOf('d', 1, 1, 0),
      sampleOf('b', 0, 1, 0),
      sampleOf('c', 1, 0, 1),
      sampleOf('a', 0, 0, 1),
    ];
    expect(
      groupTrajectories(rows).map(({ group, rows: own }) => [group, own.map(({ id }) => id).join('')]),
    ).toEqual([
      [1, 'cd'],
      [0, 'ab'],
    ]);
  });

  it('keeps the same group number of another step apart', () => {
    const rows = [sampleOf('a', 0, 0, 1), { ...sampleOf('b', 0, 0, 1), step: 3 }];
    expect(groupTrajectories(rows)).toHaveLength(2);
  });

  it('puts evaluations and probes under no heading, whatever their group says', () => {
    const [only, ...others] = groupTrajectories([aSummary('a', { phase: 'probe', group: 2 }), aSummary('b')]);
    expect(others).toEqual([]);
    expect(only?.group).toBeNull();
  });

  it('has baseline and spread of a whole group', () => {
    const rows = [1, -0.2, 0.8, 0].map((reward, sample) => sampleOf(String(sample), 0, sample, reward));
    expect(groupRewards(rows, 4)).toEqual({
      successes: 2,
      n: 4,
      mean: 0.4,
      lowest: -0.2,
      highest: 1,
      degenerate: false,
    });
  });

  it('says nothing of a group that is shown in part', () => {
    expect(groupRewards([sampleOf('a', 0, 0, 1)], 4)).toBeNull();
  });

  it('knows a group that teaches nothing', () => {
    expect(groupRewards([sampleOf('a', 0, 0, 1), sampleOf('b', 0, 1, 1)], 2)?.degenerate).toBe(true);
  });
});
