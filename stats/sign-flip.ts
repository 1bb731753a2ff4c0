import { AppError } from '@/contract/errors';
import { checkFinite, DRAWS, type Random } from './resampling';

/** Up to here every pattern of signs is looked at: 2^16. */
const MOST_EXACT = 16;
/** A generator's draw gives this many signs. */
const SIGNS_A_DRAW = 32;

/** How surprising a mean difference is, were each task's difference as likely of either sign. */
export interface SignFlip {
  /** Two-sided. */
  pValue: number;
  /** Patterns of signs that were looked at. */
  patterns: number;
  /** Whether these were all there are. */
  exact: boolean;
}

/**
 * Sign-flip test of one difference a task (`taskDifferences`) against a mean of 0: the share of sign patterns whose sum
 * is at least as far from 0 as the observed one (Fisher 1935, The Design of Experiments, section 21). Tasks without a
 * difference do not count. Exact up to 16 that differ; beyond, 10,000 random patterns, the observed one added (Phipson
 * and Smyth 2010, Statistical Applications in Genetics and Molecular Biology 9:39). With differences of ±1 it is the
 * exact McNemar test. Throws on a difference that is not finite, and on none at all.
 */
export function signFlipTest(differences: readonly number[], random: Random): SignFlip {
  if (differences.length === 0) throw new AppError('invalid_input', 'no difference to test');
  checkFinite('differences', differences);
  const sizes = Float64Array.from(differences.map(Math.abs).filter((size) => size > 0));
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  // Sums that are equal but for rounding are as far from 0.
  const threshold = observed - 1e-12 * whole;
  const isAsFar = (sum: number) => Math.abs(sum) >= threshold;
  return sizes.length <= MOST_EXACT ? allPatterns(sizes, isAsFar) : randomPatterns(sizes, isAsFar, random);
}

function allPatterns(sizes: Float64Array, isAsFar: (sum: number) => boolean): SignFlip {
  const patterns = 2 ** sizes.length;
  let asFar = 0;
  for (let signs = 0; signs < patterns; signs++) if (isAsFar(signedSum(sizes, () => signs))) asFar++;
  return { pValue: asFar / patterns, patterns, exact: true };
}

function randomPatterns(sizes: Float64Array, isAsFar: (sum: number) => boolean, random: Random): SignFlip {
  const nextSigns = () => Math.floor(random.next() * 2 ** SIGNS_A_DRAW);
  let asFar = 0;
  for (let draw = 0; draw < DRAWS; draw++) if (isAsFar(signedSum(sizes, nextSigns))) asFar++;
  return { pValue: (1 + asFar) / (1 + DRAWS), patterns: DRAWS, exact: false };
}

/** The sum with the signs of the bits, of which `nextSigns` gives 32 at a time. */
function signedSum(sizes: Float64Array, nextSigns: () => number): number {
  let sum = 0;
  let signs = 0;
  for (let task = 0; task < sizes.length; task++) {
    const bit = task % SIGNS_A_DRAW;
    if (bit === 0) signs = nextSigns();
    const size = sizes[task] ?? NaN;
    sum += (signs >>> bit) & 1 ? size : -size;
  }
  return sum;
}
