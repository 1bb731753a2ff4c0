import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { toFieldIssues } from '@/contract/parse';
import { Trajectory } from '@/contract/trajectory';
import { passesFilter, type TrajectoryFilter } from '@/contract/trajectory-filter';

/** A line of a run's `events.jsonl`; other events than trajectories are passed over. */
const EventLine = z.looseObject({
  event: z.looseObject({ kind: z.string(), trajectory: z.unknown().optional() }),
});

/**
 * Trajectories of a file that pass the filter: a trajectory a line, or a run's `events.jsonl`. Read line by line, in their order.
 * Throws `invalid_input`, naming the line, for one that is neither, and `not_found` without a file.
 */
export async function* trajectoriesOfFile(
  path: string,
  filter: TrajectoryFilter,
): AsyncGenerator<Trajectory> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  let number = 0;
  let found = 0;
  try {
    for await (const line of lines) {
      number++;
      if (line.trim() === '') continue;
      const trajectory = readLine(line, `${path}:${number}`);
      if (!trajectory || !passesFilter(trajectory, filter)) continue;
      yield trajectory;
      if (++found === filter.limit) return;
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new AppError('not_found', `--trajectories ${path}: not found`, [], { cause: error });
    throw error;
  } finally {
    lines.close();
  }
}

/** Null for an event that is no trajectory. */
function readLine(line: string, place: string): Trajectory | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new AppError('invalid_input', `${place} is not JSON`, [], { cause });
  }
  const wrapped = EventLine.safeParse(value);
  if (wrapped.success && wrapped.data.event.kind !== 'trajectory:finished') return null;
  const read = Trajectory.safeParse(wrapped.success ? wrapped.data.event.trajectory : value);
  if (read.success) return read.data;
  const [issue] = toFieldIssues(read.error);
  throw new AppError('invalid_input', `${place} holds no trajectory: ${issue?.path}: ${issue?.message}`);
}
