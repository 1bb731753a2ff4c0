import { checkCounts, pairOutcomes } from './task-pairs';

/** Tasks on which two policies differ, and how surprising their imbalance is. */
export interface McNemar {
  /** Failed by the first policy, solved by the second. */
  gained: number;
  /** Solved by the first, failed by the second. */
  lost: number;
  /** Two-sided. */
  pValue: number;
}

/**
 * Exact McNemar test of two policies on the same tasks, one trajectory per task and side: were both equally good, each
 * task on which they differ would be gained or lost like a fair coin, so that `gained` is binomial with n = gained +
 * lost and 1/2. The p-value is twice the smaller tail, at most 1 (McNemar 1947, Psychometrika 12:153-157; exact form:
 * Agresti, Categorical Data Analysis, section 11.1.1); 1 where no task differs.
 */
export function mcnemar(gained: number, lost: number): McNemar {
  checkCounts({ gained, lost });
  return { gained, lost, pValue: Math.min(1, 2 * lowerTail(Math.min(gained, lost), gained + lost)) };
}

/** The test on outcomes by task id. Throws where the two do not hold the same tasks. */
export function mcnemarOf(
  before: ReadonlyMap<string, boolean>,
  after: ReadonlyMap<string, boolean>,
): McNemar {
  const { gained, lost } = pairOutcomes(before, after);
  return mcnemar(gained, lost);
}

/** P(X <= k) for X binomial with n trials of 1/2, summed in logarithms since 2^-n underflows for large n. */
function lowerTail(k: number, n: number): number {
  let logTerm = -n * Math.LN2;
  let sum = Math.exp(logTerm);
  for (let i = 1; i <= k; i++) {
    logTerm += Math.log(n - i + 1) - Math.log(i);
    sum += Math.exp(logTerm);
  }
  return sum;
}
