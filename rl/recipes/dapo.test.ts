import { describe, expect, it } from 'vitest';
import { toFieldIssues } from '@/contract/parse';
import { DapoConfig } from '@/contract/recipes/dapo';
import { DAPO_PRESETS } from '@/contract/recipes/dapo-presets';
import { filledUp } from './dapo';

const { small } = DAPO_PRESETS;

/** Groups of a step by name: two batches of three, of which `c` and `e` teach. */
const sampled = ['a', 'b', 'c', 'd', 'e', 'f'];
const kept = ['c', 'e'];

function updateOf(groups: number, whenShort: DapoConfig['sampling']['whenShort']): string[] {
  const config = { rollout: { ...small.rollout, groups }, sampling: { ...small.sampling, whenShort } };
  return filledUp({ kept, sampled }, config, 4);
}

describe('an update with too few groups that teach', () => {
  it('has those of every batch first where it is filled up with the others', () => {
    expect(updateOf(4, 'keep-all')).toEqual(['c', 'e', 'a', 'b']);
  });

  it('has only those where it trains on what there is', () => {
    expect(updateOf(4, 'train-on-kept')).toEqual(kept);
  });

  it('fails where it is to, and says how many there were', () => {
    expect(() => updateOf(4, 'fail')).toThrow(
      'step 4: 2 of 6 groups have rewards that differ after 3 batches, expected 4',
    );
  });

  it.each(['keep-all', 'train-on-kept', 'fail'] as const)(
    'is cut to its size under %s where they suffice',
    (rule) => {
      expect(updateOf(1, rule)).toEqual(['c']);
    },
  );
});

describe('a config of dapo', () => {
  it('refuses batches that cannot have the groups of an update', () => {
    const parsed = DapoConfig.safeParse({
      ...small,
      sampling: { ...small.sampling, batchGroups: 5, maxBatches: 3 },
    });
    expect(parsed.error && toFieldIssues(parsed.error)).toEqual([
      {
        path: 'sampling.maxBatches',
        message: 'expected at least 4, for batches of 5 to have the 16 of rollout.groups, got 3',
      },
    ]);
  });
});
