import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Trajectory } from '@/contract/trajectory';
import { playedEpisode } from '@/rl/recipes/testing/played';
import { shelve } from './trajectory-shelf';

const tasks = Array.from({ length: 50 }, (_, index) => `task ${index} ${'é🙂'.repeat(index)}`);

/** Trajectories of the tasks, of which no more than one is held at a time. */
async function* trajectories(): AsyncGenerator<Trajectory> {
  for (const taskId of tasks) yield await Promise.resolve(playedEpisode({ taskId }, [{}, {}]).trajectory);
}

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'stepscope-shelves-'));
  vi.stubEnv('TMPDIR', dir);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true });
});

describe('a shelf of trajectories', () => {
  it('gives back each by its place, in any order, as it was put', async () => {
    const shelf = await shelve(trajectories());
    try {
      expect(shelf.count).toBe(50);
      for (const index of [49, 0, 17, 49])
        expect(await shelf.at(index)).toEqual(
          playedEpisode({ taskId: tasks[index] ?? '' }, [{}, {}]).trajectory,
        );
      await expect(shelf.at(50)).rejects.toThrow('index is 50, expected 0 to 49');
    } finally {
      await shelf.close();
    }
  });

  it('leaves no file behind, nor does one whose trajectories cannot be read to their end', async () => {
    const shelf = await shelve(trajectories());
    expect(readdirSync(dir)).toEqual([]);
    await shelf.close();
    const broken = async function* () {
      yield* trajectories();
      throw new Error('the server refused');
    };
    await expect(shelve(broken())).rejects.toThrow('the server refused');
    expect(readdirSync(dir)).toEqual([]);
  });
});
