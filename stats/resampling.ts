import { AppError } from '@/contract/errors';

/** A seeded generator, by which a figure can be had again. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
}

/** A figure with its 95 % bootstrap interval, in the figure's unit. */
export interface Estimate {
  estimate: number;
  low: number;
  high: number;
}

/** Resamples of a bootstrap, and random patterns of a sign-flip test. */
export const DRAWS = 10_000;

/**
 * An estimate with the 95 % percentile interval of its statistic (Efron 1979, Annals of Statistics 7:1-26): `resample` gives its value on one
 * resample, of 10,000. Between two values the quantile is interpolated linearly.
 */
export function percentileEstimate(estimate: number, resample: () => number): Estimate {
  const values = new Float64Array(DRAWS);
  for (let draw = 0; draw < DRAWS; draw++) values[draw] = resample();
  values.sort();
  return { estimate, low: quantileOf(values, 0.025), high: quantileOf(values, 0.975) };
}

function quantileOf(sorted: Float64Array, probability: number): number {
  const place = probability * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below] ?? NaN;
  const high = sorted[below + 1] ?? low;
  return low + (high - low) * (place - below);
}

/** Throws where a value is not finite, naming the list and the place. */
export function checkFinite(name: string, values: readonly number[]): void {
  const place = values.findIndex((value) => !Number.isFinite(value));
  if (place !== -1)
    throw new AppError('invalid_input', `${name}[${place}] is ${values[place]}; expected a finite number`);
}
