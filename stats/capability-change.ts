import { comparisonVerdict, verdictWords } from './comparison-verdict';
import { newcombe, type Difference, type Proportion } from './newcombe';
import { smallestUnpairedDifference } from './smallest-difference';

/** The loss of general capability that "retained" rules out, as a fraction of the questions. */
export const CAPABILITY_MARGIN = 0.05;

/** A model's score on a benchmark against its base's. */
export interface CapabilityChange {
  /** The model's fraction less the base's, 95 %. */
  interval: Difference;
  /**
   * `lost` and `gained`: the interval lacks 0. `retained`: it holds 0 and rules out a loss of the margin or more. `undecided`:
   * neither, so nothing may be said. `small`: too few questions.
   */
  kind: 'lost' | 'gained' | 'retained' | 'undecided' | 'small';
  /** As screens word it. */
  words: string;
}

/**
 * What became of a capability, from counts alone: Newcombe's interval of the difference, unpaired, since results by question are
 * not known. On the same questions that is conservative.
 */
export function capabilityChange(model: Proportion, base: Proportion): CapabilityChange {
  const interval = newcombe(model, base);
  const n = Math.min(model.n, base.n);
  const verdict = comparisonVerdict({
    n,
    difference: interval.difference,
    paired: false,
    rejected: interval.low > 0 || interval.high < 0,
    smallestDifference: smallestUnpairedDifference(n),
    equivalentWithin: null,
  });
  if (verdict.kind === 'higher') return { interval, kind: 'gained', words: 'gained' };
  if (verdict.kind === 'lower') return { interval, kind: 'lost', words: 'lost' };
  if (verdict.kind === 'not_compared') return { interval, kind: 'small', words: verdictWords(verdict) };
  return interval.low > -CAPABILITY_MARGIN
    ? { interval, kind: 'retained', words: 'retained' }
    : { interval, kind: 'undecided', words: verdictWords(verdict) };
}
