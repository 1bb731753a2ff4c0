import { AppError } from '@/contract/errors';
import { normalUpperTail } from './normal';
import { countTasks, type PairedOutcomes } from './task-pairs';

/**
 * p-value of the two one-sided tests (TOST) that two policies' fractions on the same tasks differ by `margin` (a fraction
 * above 0 and below 1) or more, either way: below 5 % they are equivalent within ± margin. The larger of Tango's two
 * score tests (Tango 1998, Statistics in Medicine 17:891-908; two of them: Liu et al. 2002, 21:231-245). The tests
 * are asymptotic; with a margin near 0 they are McNemar's without continuity correction. Throws without a task.
 */
export function equivalencePValue(outcomes: PairedOutcomes, margin: number): number {
  if (!(margin > 0 && margin < 1))
    throw new AppError('invalid_input', `margin is ${margin}; expected a fraction between 0 and 1`);
  return Math.max(
    normalUpperTail(scoreStatistic(outcomes, -margin)),
    normalUpperTail(-scoreStatistic(outcomes, margin)),
  );
}

/** Standard normal where the second policy's fraction is the first's plus `difference`. */
function scoreStatistic(outcomes: PairedOutcomes, difference: number): number {
  const { gained, lost } = outcomes;
  const n = countTasks(outcomes);
  // The probability of a lost task that is likeliest under `difference` solves 2 n q^2 + linear q + constant = 0.
  const linear = (2 * n - gained + lost) * difference - gained - lost;
  const constant = -lost * difference * (1 - difference);
  const lostProbability = (Math.sqrt(Math.max(0, linear * linear - 8 * n * constant)) - linear) / (4 * n);
  const variance = n * (2 * lostProbability + difference * (1 - difference));
  return (gained - lost - n * difference) / Math.sqrt(variance);
}
