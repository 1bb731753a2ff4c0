import { AppError } from '@/contract/errors';

/**
 * p-values of one table's comparisons adjusted by Holm's step-down method, in the given order: the i-th smallest of m
 * (from 0) times m - i, at least as large as the one before it, at most 1 (Holm 1979, Scandinavian Journal of
 * Statistics 6:65-70). Those at most 5 % hold together with an error rate of 5 % over the whole table. Throws on a
 * value that is no probability.
 */
export function holmAdjusted(pValues: readonly number[]): number[] {
  const bad = pValues.findIndex((pValue) => !(pValue >= 0 && pValue <= 1));
  if (bad !== -1) throw new AppError('invalid_input', `pValues[${bad}] is ${pValues[bad]}; expected 0 to 1`);
  const adjusted = new Array<number>(pValues.length);
  let floor = 0;
  pValues
    .map((pValue, place) => ({ pValue, place }))
    .sort((one, other) => one.pValue - other.pValue)
    .forEach(({ pValue, place }, rank) => {
      floor = Math.max(floor, Math.min(1, pValue * (pValues.length - rank)));
      adjusted[place] = floor;
    });
  return adjusted;
}
