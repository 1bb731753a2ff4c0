import { AppError } from '@/contract/errors';
import type { TaskCount } from './bootstrap';
import { percentileEstimate, type Estimate, type Random } from './resampling';

/** A task's share in a rate on both sides. */
export interface TaskCountPair {
  before: TaskCount;
  after: TaskCount;
}

/**
 * A rate over turns after less the same rate before, on the same tasks, with a percentile interval from resampling whole tasks,
 * both sides of a task together: the paired form of `bootstrapRate`. Throws without a task, and where a side of all tasks has
 * nothing to be a rate of.
 */
export function bootstrapRateDifference(tasks: readonly TaskCountPair[], random: Random): Estimate {
  if (tasks.length === 0) throw new AppError('invalid_input', 'no task to resample');
  for (const [number, { before, after }] of tasks.entries())
    for (const [side, { count, outOf }] of Object.entries({ before, after }))
      if (!(count >= 0 && outOf > 0 && Number.isFinite(count) && Number.isFinite(outOf)))
        throw new AppError(
          'invalid_input',
          `task ${number} has ${count} of ${outOf} ${side}; expected 0 or more of more than 0`,
        );
  const differenceOf = (drawn: (number: number) => TaskCountPair | undefined) => {
    const sums = { before: 0, outOfBefore: 0, after: 0, outOfAfter: 0 };
    for (let number = 0; number < tasks.length; number++) {
      const pair = drawn(number);
      if (!pair) continue;
      sums.before += pair.before.count;
      sums.outOfBefore += pair.before.outOf;
      sums.after += pair.after.count;
      sums.outOfAfter += pair.after.outOf;
    }
    return sums.after / sums.outOfAfter - sums.before / sums.outOfBefore;
  };
  return percentileEstimate(
    differenceOf((number) => tasks[number]),
    () => differenceOf(() => tasks[Math.floor(random.next() * tasks.length)]),
  );
}
