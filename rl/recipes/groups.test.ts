import { describe, expect, it } from 'vitest';
import type { Task } from '@/rl/environments/environment';
import { hashSeed } from '@/rl/random';
import { groupRequests } from './groups';

const aTask = (id: string): Task => ({ id, taskType: 'open', split: 'train' });
const [door, key] = [aTask('door/1'), aTask('key/1')];
const settings = { seed: 7, step: 3, groupSize: 2 };

describe('the requests of a step', () => {
  it('are numbered on from the groups before them', () => {
    const requests = groupRequests([door, key], [key], settings);
    expect(requests.map(({ group, sample }) => [group, sample])).toEqual([
      [1, 0],
      [1, 1],
      [2, 0],
      [2, 1],
    ]);
  });

  it('differ in seed where a task comes again, in a batch or in a later one', () => {
    const both = [
      ...groupRequests([door, door], [], settings),
      ...groupRequests([door], [door, door], settings),
    ];
    expect(new Set(both.map(({ seed }) => seed)).size).toBe(6);
  });

  it('have the seeds of runs recorded earlier where no task comes again', () => {
    const seeds = groupRequests([door, key], [], settings).map(({ seed }) => seed);
    expect(seeds).toEqual(
      [door, key].flatMap(({ id }) => [0, 1].map((sample) => hashSeed(7, 'train', 2, id, sample))),
    );
  });
});
