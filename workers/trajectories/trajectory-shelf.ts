import { open, mkdtemp, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Trajectory } from '@/contract/trajectory';
import type { TrajectoryShelf } from '@/rl/recipes/recipe';

/**
 * Puts trajectories into a file of the system's temporary folder, where each is read from by its place: in memory is one at a
 * time. The file has no name any more once this resolves, so that it goes with the process at the latest.
 */
export async function shelve(trajectories: AsyncIterable<Trajectory>): Promise<TrajectoryShelf> {
  const dir = await mkdtemp(join(tmpdir(), 'stepscope-shelf-'));
  const file = await open(join(dir, 'trajectories'), 'w+');
  try {
    await rm(dir, { recursive: true });
    const starts = [0];
    for await (const trajectory of trajectories) {
      const text = Buffer.from(JSON.stringify(trajectory));
      const start = starts[starts.length - 1] ?? 0;
      await writeAll(file, text, start);
      starts.push(start + text.length);
    }
    return shelfOf(file, starts);
  } catch (error) {
    await file.close();
    throw error;
  }
}

function shelfOf(file: FileHandle, starts: readonly number[]): TrajectoryShelf {
  return {
    count: starts.length - 1,
    async at(index) {
      const [from, to] = [starts[index], starts[index + 1]];
      if (from === undefined || to === undefined)
        throw new RangeError(`index is ${index}, expected 0 to ${starts.length - 2}`);
      const text = Buffer.alloc(to - from);
      await file.read(text, 0, text.length, from);
      return Trajectory.parse(JSON.parse(text.toString()));
    },
    close: () => file.close(),
  };
}

/** A write may take less than it is given. */
async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}
