import { incompleteBeta } from './incomplete-beta';
import { checkProportion, type Interval } from './wilson';

/** Probability beyond either bound of the 95 % interval. */
const TAIL = 0.025;

/**
 * Exact 95 % interval of a binomial fraction: the fractions under which neither at least k nor at most k successes in n
 * independent trials are rarer than 2.5 % (Clopper and Pearson 1934, Biometrika 26:404-413). It covers
 * at least as often as it says, so it is wider than `wilson`. Without trials nothing is known: [0, 1].
 */
export function clopperPearson(k: number, n: number): Interval {
  checkProportion(k, n);
  return {
    low: k === 0 ? 0 : betaQuantile(TAIL, k, n - k + 1),
    high: k === n ? 1 : betaQuantile(1 - TAIL, k + 1, n - k),
  };
}

/** The x at which I_x(a, b) is `probability`, by bisection down to neighbouring numbers. */
function betaQuantile(probability: number, a: number, b: number): number {
  let low = 0;
  let high = 1;
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return middle;
    if (incompleteBeta(middle, a, b) < probability) low = middle;
    else high = middle;
  }
}
