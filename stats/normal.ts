import { AppError } from '@/contract/errors';

/** Beyond this the tail's continued fraction is the more exact; before it the series is. */
const SERIES_UP_TO = 3;
const FRACTION_TERMS = 120;

/**
 * P(Z > z) for Z standard normal, relative error below 1e-12 (Marsaglia 2004, Journal of Statistical Software 11(4), near
 * the centre; Laplace's continued fraction in the tail, NIST DLMF 7.9.3). Throws on NaN.
 */
export function normalUpperTail(z: number): number {
  if (Number.isNaN(z)) throw new AppError('invalid_input', 'z is NaN; expected a number');
  if (z < 0) return 1 - normalUpperTail(-z);
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z > SERIES_UP_TO) {
    let fraction = z;
    for (let term = FRACTION_TERMS; term >= 1; term--) fraction = z + term / fraction;
    return density / fraction;
  }
  let sum = 0;
  for (let term = z, odd = 3; sum + term !== sum; odd += 2) {
    sum += term;
    term *= (z * z) / odd;
  }
  return 0.5 - density * sum;
}
