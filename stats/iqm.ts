import { AppError } from '@/contract/errors';
import { checkFinite, percentileEstimate, type Estimate, type Random } from './resampling';

/**
 * Interquartile mean (IQM) of all scores, the mean of what is left when the lowest and the highest quarter (rounded down)
 * are cut off, with a percentile interval from the stratified bootstrap: seeds are drawn anew within each task, tasks
 * stay, so the interval is of the seeds' chance on these very tasks (Agarwal et al. 2021, arXiv 2108.13264). `scores`
 * holds per task one score per seed. Throws without a task, on a task with a single seed, which would look free of
 * chance, and on a score that is not finite.
 */
export function bootstrapIqm(scores: readonly (readonly number[])[], random: Random): Estimate {
  if (scores.length === 0) throw new AppError('invalid_input', 'no task to resample');
  scores.forEach((seeds, task) => {
    if (seeds.length < 2)
      throw new AppError('invalid_input', `scores[${task}] has ${seeds.length} seeds; expected 2 or more`);
    checkFinite(`scores[${task}]`, seeds);
  });
  const levels = Float64Array.from(new Set(scores.flat())).sort();
  const strata = scores.map((seeds) => Uint32Array.from(seeds, (score) => levels.indexOf(score)));
  const n = scores.reduce((sum, seeds) => sum + seeds.length, 0);
  /** Scores at each level: a resample is kept as counts, so that no draw needs sorting. */
  const counts = new Uint32Array(levels.length);

  function resample(): number {
    counts.fill(0);
    for (const stratum of strata)
      for (let seed = 0; seed < stratum.length; seed++) {
        const level = stratum[Math.floor(random.next() * stratum.length)] ?? NaN;
        counts[level] = (counts[level] ?? 0) + 1;
      }
    return interquartileMean(levels, counts, n);
  }

  for (const stratum of strata) for (const level of stratum) counts[level] = (counts[level] ?? 0) + 1;
  return percentileEstimate(interquartileMean(levels, counts, n), resample);
}

/** Of n scores, `counts[i]` of them at the ascending `levels[i]`. */
function interquartileMean(levels: Float64Array, counts: Uint32Array, n: number): number {
  const cut = Math.floor(n / 4);
  let passed = 0;
  let sum = 0;
  for (let level = 0; level < levels.length && passed < n - cut; level++) {
    const count = counts[level] ?? NaN;
    const kept = Math.min(passed + count, n - cut) - Math.max(passed, cut);
    if (kept > 0) sum += kept * (levels[level] ?? NaN);
    passed += count;
  }
  return sum / (n - 2 * cut);
}
