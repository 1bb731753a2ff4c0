import { AppError } from '@/contract/errors';
import { checkFinite, percentileEstimate, type Estimate, type Random } from './resampling';

/** A task's share in a rate: what is counted, and out of how many, e.g. its invalid actions and its turns. */
export interface TaskCount {
  count: number;
  outOf: number;
}

/**
 * A rate over turns, the sum of counts over the sum of turns, with a percentile interval from resampling whole tasks:
 * turns of one task resemble each other, so they are not independent trials (Miller 2024, arXiv 2411.00640; ratio
 * estimator: Davison and Hinkley 1997, Bootstrap Methods and their Application, section 2.4). Throws without a task, and
 * on a task without turns: it has no rate and must be counted apart.
 */
export function bootstrapRate(tasks: readonly TaskCount[], random: Random): Estimate {
  if (tasks.length === 0) throw new AppError('invalid_input', 'no task to resample');
  tasks.forEach(({ count, outOf }, task) => {
    if (!Number.isFinite(count) || count < 0)
      throw new AppError('invalid_input', `count of task ${task} is ${count}; expected 0 or more`);
    if (!Number.isFinite(outOf) || outOf <= 0)
      throw new AppError('invalid_input', `outOf of task ${task} is ${outOf}; expected more than 0`);
  });
  return resampleTasks(
    Float64Array.from(tasks, ({ count }) => count),
    Float64Array.from(tasks, ({ outOf }) => outOf),
    random,
  );
}

/**
 * The mean of one value a task with a percentile interval from resampling tasks. On `taskDifferences` it is the paired
 * bootstrap of two policies with several trajectories per task. Throws without a value and on one that is not finite.
 */
export function bootstrapMean(values: readonly number[], random: Random): Estimate {
  if (values.length === 0) throw new AppError('invalid_input', 'no value to resample');
  checkFinite('values', values);
  return resampleTasks(Float64Array.from(values), new Float64Array(values.length).fill(1), random);
}

/**
 * The mean of `a` less the mean of `b`, one value a task, with a percentile interval from resampling the tasks of each side
 * apart: two policies on different tasks. Throws where a side has no value, and on one that is not finite.
 */
export function bootstrapDifference(a: readonly number[], b: readonly number[], random: Random): Estimate {
  for (const [name, values] of Object.entries({ a, b })) {
    if (values.length === 0) throw new AppError('invalid_input', `${name} has no value to resample`);
    checkFinite(name, values);
  }
  const resampledMean = (values: readonly number[]) => {
    let sum = 0;
    for (let task = 0; task < values.length; task++)
      sum += values[Math.floor(random.next() * values.length)] ?? NaN;
    return sum / values.length;
  };
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return percentileEstimate(meanOf(a) - meanOf(b), () => resampledMean(a) - resampledMean(b));
}

function resampleTasks(counts: Float64Array, outOf: Float64Array, random: Random): Estimate {
  const n = counts.length;
  const resample = () => {
    let count = 0;
    let total = 0;
    for (let task = 0; task < n; task++) {
      const drawn = Math.floor(random.next() * n);
      count += counts[drawn] ?? NaN;
      total += outOf[drawn] ?? NaN;
    }
    return count / total;
  };
  const sumOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);
  return percentileEstimate(sumOf(counts) / sumOf(outOf), resample);
}
