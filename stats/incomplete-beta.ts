import { AppError } from '@/contract/errors';

const TOLERANCE = 1e-15;
/** Terms grow as the root of a + b: enough for counts of about a hundred million. */
const MOST_TERMS = 50_000;

/**
 * Regularised incomplete beta function I_x(a, b) for x in [0, 1] and a, b > 0: the distribution function of a beta
 * variable, and P(X >= a) for X binomial with a + b - 1 trials of x. Continued fraction (NIST DLMF 8.17.22) by Lentz's
 * method, on the side where it converges fast. Relative error below 1e-10 for a + b up to 10,000. Throws on arguments
 * out of range.
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (!(x >= 0 && x <= 1)) throw new AppError('invalid_input', `x is ${x}; expected 0 to 1`);
  for (const [name, value] of Object.entries({ a, b }))
    if (!(value > 0 && Number.isFinite(value)))
      throw new AppError('invalid_input', `${name} is ${value}; expected a positive number`);
  if (x === 0 || x === 1) return x;
  return x < (a + 1) / (a + b + 2) ? lowerPart(x, a, b) : 1 - lowerPart(1 - x, b, a);
}

function lowerPart(x: number, a: number, b: number): number {
  const logPower = a * Math.log(x) + b * Math.log1p(-x);
  return Math.exp(logPower + logGamma(a + b) - logGamma(a) - logGamma(b)) / (a * continuedFraction(x, a, b));
}

/** 1 + d1 / (1 + d2 / (1 + ...)), with the coefficients d of DLMF 8.17.23. */
function continuedFraction(x: number, a: number, b: number): number {
  let value = 1;
  let ratioAbove = 1;
  let ratioBelow = 0;
  for (let term = 1; term <= MOST_TERMS; term++) {
    const m = Math.floor(term / 2);
    const coefficient =
      term % 2 === 0
        ? (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
        : (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    ratioBelow = 1 / (1 + coefficient * ratioBelow);
    ratioAbove = 1 + coefficient / ratioAbove;
    const change = ratioAbove * ratioBelow;
    value *= change;
    if (Math.abs(change - 1) < TOLERANCE) return value;
  }
  throw new AppError('internal', `the incomplete beta function did not converge at x ${x}, a ${a}, b ${b}`);
}

/** Coefficients of Stirling's series, by falling odd powers of 1 / x (NIST DLMF 5.11.1). */
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156];
/** From here on the series is exact to double precision. */
const STIRLING_FROM = 12;

function logGamma(x: number): number {
  let logShift = 0;
  let shifted = x;
  for (; shifted < STIRLING_FROM; shifted++) logShift += Math.log(shifted);
  const series = STIRLING.reduceRight((sum, coefficient) => sum / (shifted * shifted) + coefficient, 0);
  return (
    (shifted - 0.5) * Math.log(shifted) - shifted + 0.5 * Math.log(2 * Math.PI) + series / shifted - logShift
  );
}
