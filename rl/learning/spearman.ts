import { AppError } from '@/contract/errors';

/**
 * Spearman's rank correlation of pairs: Pearson's correlation of their ranks, equal values sharing the mean of their ranks
 * (Kendall, Rank Correlation Methods, ch. 3). NaN where one side is constant or there are fewer than two pairs.
 */
export function spearman(xs: readonly number[], ys: readonly number[]): number {
  if (xs.length !== ys.length)
    throw new AppError('invalid_input', `${xs.length} values cannot be paired with ${ys.length}`);
  const rankX = centred(ranksOf(xs));
  const rankY = centred(ranksOf(ys));
  return dot(rankX, rankY) / Math.sqrt(dot(rankX, rankX) * dot(rankY, rankY));
}

/** Ranks from 1, ties sharing their mean. */
function ranksOf(values: readonly number[]): number[] {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const ranks = new Array<number>(values.length);
  for (let start = 0; start < order.length;) {
    let end = start + 1;
    while (end < order.length && order[end]?.value === order[start]?.value) end++;
    for (const { index } of order.slice(start, end)) ranks[index] = (start + 1 + end) / 2;
    start = end;
  }
  return ranks;
}

function centred(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? NaN), 0);
}
