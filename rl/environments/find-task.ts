import { AppError } from '@/contract/errors';
import type { Split, Trajectory } from '@/contract/trajectory';
import type { Task } from './environment';
import type { EnvironmentSuite } from './suite';

/** A task of a split's fixed list by its id. Throws `not_found` where the list has none. */
export function findListedTask(
  suite: EnvironmentSuite,
  split: Split,
  taskId: string,
  splitSize: number,
): Task {
  const task = suite.splitTasks(split, splitSize).find(({ id }) => id === taskId);
  if (!task)
    throw new AppError('not_found', `${split} of ${suite.environment.id} has no task ${taskId}`, [
      { path: 'task', message: `expected a task of ${split}` },
    ]);
  return task;
}

/**
 * The task of a recorded trajectory. One that a run trained on is drawn again as it was; `runSeed` is that run's. Throws
 * `not_found` where it is neither that nor in its split's fixed list.
 */
export function findPlayedTask(
  suite: EnvironmentSuite,
  { taskId, split, step, group }: Pick<Trajectory, 'taskId' | 'split' | 'step' | 'group'>,
  { runSeed, splitSize }: { runSeed: number; splitSize: number },
): Task {
  if (group !== null) {
    const drawn = suite.trainTask({ runSeed, step, group });
    if (drawn.id === taskId) return drawn;
  }
  return findListedTask(suite, split, taskId, splitSize);
}
