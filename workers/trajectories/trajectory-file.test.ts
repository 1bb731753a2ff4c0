import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { playedEpisode } from '@/rl/recipes/testing/played';
import type { TrajectoryFilter } from '@/contract/trajectory-filter';
import { trajectoriesOfFile } from './trajectory-file';

const filter: TrajectoryFilter = { runs: [], outcome: 'any', taskType: null, minReward: null, limit: 100 };

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'stepscope-trajectories-'))));
afterEach(() => rmSync(dir, { recursive: true }));

async function read(lines: readonly unknown[], changes: Partial<TrajectoryFilter> = {}): Promise<string[]> {
  const path = join(dir, 'trajectories.jsonl');
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const found: string[] = [];
  for await (const { taskId } of trajectoriesOfFile(path, { ...filter, ...changes })) found.push(taskId);
  return found;
}

describe('a file of trajectories', () => {
  const one = playedEpisode({ taskId: 'one', success: true, reward: 0.5 }, [{}]).trajectory;
  const two = playedEpisode({ taskId: 'two', taskType: 'open' }, [{}]).trajectory;
  const failed = playedEpisode({ taskId: 'failed', stopReason: 'error' }, [{}]).trajectory;

  it('holds one a line, or a run’s events among which they are', async () => {
    expect(await read([one, two])).toEqual(['one', 'two']);
    const step = { at: 1, event: { kind: 'step:finished', step: 1, steps: 2 } };
    expect(await read([step, { at: 2, event: { kind: 'trajectory:finished', trajectory: two } }])).toEqual([
      'two',
    ]);
  });

  it('gives what the filter asks for, up to its limit, and never what ended in an error', async () => {
    const all = [one, two, failed];
    expect(await read(all)).toEqual(['one', 'two']);
    expect(await read(all, { outcome: 'won' })).toEqual(['one']);
    expect(await read(all, { outcome: 'lost' })).toEqual(['two']);
    expect(await read(all, { taskType: 'open' })).toEqual(['two']);
    expect(await read(all, { minReward: 0.5 })).toEqual(['one']);
    expect(await read(all, { limit: 1 })).toEqual(['one']);
  });

  it('names the line that is none', async () => {
    await expect(read([one, { taskId: 3 }])).rejects.toThrow(/trajectories\.jsonl:2 holds no trajectory: /);
  });

  it('that is not there is named', async () => {
    const reading = trajectoriesOfFile(join(dir, 'none.jsonl'), filter);
    await expect(reading.next()).rejects.toMatchObject({ code: 'not_found' });
  });
});
