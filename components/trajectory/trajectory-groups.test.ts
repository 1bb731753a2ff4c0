import { describe, expect, it } from 'vitest';
import type { GroupFigures, ListedTrajectory } from '@/contract/trajectory-list';
import { aListed } from './trajectory-factory';
import { listItems, type ListItem } from './trajectory-groups';

const sampleOf = (id: string, group: number, sample: number, changes: Partial<ListedTrajectory> = {}) =>
  aListed(id, { phase: 'train', group, sample, ...changes });

const words = (items: readonly ListItem[]) =>
  items.map((item) => (item.kind === 'heading' ? `group ${item.group} of ${item.shown}` : item.key));

const figures: GroupFigures = {
  runId: 'r-0001',
  attempt: 1,
  step: 0,
  group: 1,
  n: 8,
  judged: 8,
  successes: 3,
  rewarded: 8,
  mean: 0.5,
  lowest: 0,
  highest: 1,
};

describe('items of a list', () => {
  const rows = [
    sampleOf('d', 1, 1),
    sampleOf('b', 0, 1),
    aListed('probe', { phase: 'probe', group: 0 }),
    sampleOf('c', 1, 0),
    aListed('evaluated', { phase: 'eval' }),
    sampleOf('a', 0, 0),
  ];

  it('gather each training group under its heading, samples ascending, and leave the others where they stand', () => {
    expect(words(listItems(rows, [], true))).toEqual([
      'group 1 of 2',
      'c',
      'd',
      'group 0 of 2',
      'a',
      'b',
      'probe',
      'evaluated',
    ]);
  });

  it('keep the order of the rows where it is of something else', () => {
    expect(words(listItems(rows, [], false))).toEqual(['d', 'b', 'probe', 'c', 'evaluated', 'a']);
  });

  it.each([{ step: 3 }, { runId: 'r-0002' }, { attempt: 2 }])(
    'keep groups apart that differ in %o',
    (other) => {
      expect(words(listItems([sampleOf('a', 0, 0), sampleOf('b', 0, 1, other)], [], true))).toEqual([
        'group 0 of 1',
        'a',
        'group 0 of 1',
        'b',
      ]);
    },
  );

  it('have the figures of the group in its heading', () => {
    const [first, , other] = listItems([sampleOf('a', 1, 0), sampleOf('b', 0, 0)], [figures], true);
    expect(first).toMatchObject({ kind: 'heading', figures });
    expect(other).toMatchObject({ kind: 'heading', figures: null });
  });

  it('follow a trajectory with where the search was found', () => {
    const hit = { turn: 2, snippet: 'a door', source: 'reply' } as const;
    expect(words(listItems([aListed('a', { hit }), aListed('b')], [], true))).toEqual(['a', 'hit a', 'b']);
  });
});
