/**
 * What tells from a run's own metrics that it has collapsed: a rule within the run, which stops it, and the workbench's
 * detectors, which look over every run, must agree on it. Each takes a series from the first step to the newest, one value a
 * step, and returns what it found at the newest step in words, or null. Thresholds and where they come from:
 * docs/detectors.md.
 */
import { formatDecimals, formatPercent } from './format';

/** Steps at the start of a run that later ones are measured against. */
export const BASELINE_STEPS = 5;

export const FORMAT = { smoothing: 0.3, baselineFactor: 2, inARow: 3, floor: 0.05, ceiling: 0.3 } as const;

/**
 * Replies cease to keep the scaffold's format: of their share that does not, the exponentially weighted mean is above twice
 * the baseline for three steps in a row, or above 30 % where the baseline is not. Means of 5 % or less are taken for chance.
 * `malformedRates`: 1 - `rollout/format_rate`.
 */
export function formatCollapse(malformedRates: readonly number[]): string | null {
  return formatCollapses(malformedRates).at(-1) ?? null;
}

/** What `formatCollapse` says at each step, in one pass. */
export function formatCollapses(malformedRates: readonly number[]): (string | null)[] {
  const baseline = meanOf(malformedRates.slice(0, BASELINE_STEPS));
  const smoothed = smooth(malformedRates, FORMAT.smoothing);
  const bound = Math.max(FORMAT.baselineFactor * baseline, FORMAT.floor);
  let raisedInARow = 0;
  return smoothed.map((rate, index) => {
    if (index < BASELINE_STEPS) return null;
    raisedInARow = rate > bound ? raisedInARow + 1 : 0;
    const isMost = rate > FORMAT.ceiling && baseline <= FORMAT.ceiling;
    if (raisedInARow < FORMAT.inARow && !isMost) return null;
    return `replies that break the format rose from ${formatPercent(baseline)} to ${formatPercent(rate)} % (smoothed)`;
  });
}

export const LOGPROB = {
  withinSteps: 5,
  referenceSteps: 20,
  fewestReferenceSteps: 10,
  sigmas: 4,
  floorNats: 0.01,
} as const;

/**
 * The sampler's mean log-probability of what it samples fell, from its highest of the 5 steps before, by more than four
 * robust sigmas of the up to 20 steps before those. A sigma below 0.01 nats counts as that much. `logprobs` in nats.
 */
export function logprobCollapse(logprobs: readonly number[]): string | null {
  const newest = logprobs[logprobs.length - 1] ?? NaN;
  const window = logprobs.slice(0, -1).slice(-LOGPROB.withinSteps);
  const reference = logprobs.slice(0, -1 - LOGPROB.withinSteps).slice(-LOGPROB.referenceSteps);
  if (reference.length < LOGPROB.fewestReferenceSteps) return null;
  const highest = Math.max(...window);
  // No sigma is below the floor: most steps need no median.
  if (!(highest - newest > LOGPROB.sigmas * LOGPROB.floorNats)) return null;
  const sigma = Math.max(robustSigma(reference), LOGPROB.floorNats);
  if (!(highest - newest > LOGPROB.sigmas * sigma)) return null;
  return (
    `the sampler’s log-probability fell from ${formatDecimals(highest, 3)} to ${formatDecimals(newest, 3)} nats within ${LOGPROB.withinSteps} steps, ` +
    `${((highest - newest) / sigma).toFixed(1)} robust sigmas`
  );
}

/** The newest steps that `logprobCollapse` looks at: earlier ones change nothing. */
export const LOGPROB_STEPS = 1 + LOGPROB.withinSteps + LOGPROB.referenceSteps;

/** What a step had to learn from. */
export interface LearningSignal {
  /** `advantage/degenerate_group_rate`; NaN where the recipe has no groups. */
  degenerateGroupRate: number;
  /** `tokens/trained` */
  trainedTokens: number;
}

/** Nothing to learn from for `inARow` steps: rewards are equal in every group, or no token was trained on. */
export function noLearningSignal(signals: readonly LearningSignal[], inARow: number): string | null {
  if (signals.length < inARow || !signals.slice(-inARow).every(isWithoutSignal)) return null;
  return `for ${inARow} ${inARow === 1 ? 'step' : 'steps in a row'} no group had rewards that differ, or nothing was trained on`;
}

function isWithoutSignal({ degenerateGroupRate, trainedTokens }: LearningSignal): boolean {
  return degenerateGroupRate === 1 || trainedTokens === 0;
}

export const ENTROPY = { steps: 20, baselineFraction: 0.1 } as const;

/**
 * Entropy has fallen to less than a tenth of the baseline by the line through its last 20 steps, which still falls.
 * `entropies` in nats: `actor/entropy`.
 */
export function entropyCollapse(entropies: readonly number[]): string | null {
  if (entropies.length < BASELINE_STEPS + ENTROPY.steps) return null;
  const baseline = meanOf(entropies.slice(0, BASELINE_STEPS));
  const { slope, end } = lineThrough(entropies.slice(-ENTROPY.steps));
  if (!(slope < 0 && end < ENTROPY.baselineFraction * baseline)) return null;
  return `entropy fell from ${formatDecimals(baseline, 3)} to ${formatDecimals(end, 3)} nats and still falls`;
}

/** Exponentially weighted means: e_1 = x_1, e_t = a x_t + (1 - a) e_(t-1). */
function smooth(values: readonly number[], a: number): number[] {
  let mean = NaN;
  return values.map((value, index) => (mean = index === 0 ? value : a * value + (1 - a) * mean));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** 1.4826 times the median absolute deviation from the median: of a normal distribution, its standard deviation. */
function robustSigma(values: readonly number[]): number {
  const center = median(values);
  return 1.4826 * median(values.map((value) => Math.abs(value - center)));
}

/** NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? NaN) + upper) / 2;
}

/** The least-squares line through values at 0, 1, 2...: its slope a step and its value at the last. */
export function lineThrough(values: readonly number[]): { slope: number; end: number } {
  const middle = (values.length - 1) / 2;
  const mean = meanOf(values);
  let covariance = 0;
  let variance = 0;
  values.forEach((value, index) => {
    covariance += (index - middle) * (value - mean);
    variance += (index - middle) ** 2;
  });
  const slope = covariance / variance;
  return { slope, end: mean + slope * middle };
}
