import { AppError } from '@/contract/errors';
import { formatPercent } from '@/contract/format';

/** Below this many tasks a side nothing is compared, and a rate is greyed. */
export const FEWEST_COMPARED = 30;

/** What is known of a second policy against a first. Fractions, not percent. */
export interface ComparisonEvidence {
  /** Tasks; of two unpaired sides the smaller number. */
  n: number;
  /** The second's fraction less the first's. */
  difference: number;
  /** Whether the two were compared task by task. */
  paired: boolean;
  /** Whether no difference is rejected at 5 %: by the p-value, Holm's beyond one comparison, or else by the interval. */
  rejected: boolean;
  /** The smallest difference that the test would probably have seen; null where it was not worked out. */
  smallestDifference: number | null;
  /** The margin within which TOST shows equivalence; null where it does not, or was not asked. */
  equivalentWithin: number | null;
}

/** What may be said of a second policy against a first. */
export type ComparisonVerdict =
  | { kind: 'higher' | 'lower' }
  | { kind: 'equivalent'; within: number }
  | { kind: 'not_distinguishable'; paired: boolean; smallestDifference: number | null }
  | { kind: 'not_compared'; n: number };

/**
 * The one verdict that the evidence allows. Too few tasks allow none; a difference that the test rejects as chance has a
 * direction, even within the margin of equivalence; "equivalent" needs TOST, since a test that does not reject shows
 * nothing. Throws on a direction without a difference.
 */
export function comparisonVerdict(evidence: ComparisonEvidence): ComparisonVerdict {
  const { n, difference, paired, rejected, smallestDifference, equivalentWithin } = evidence;
  if (!Number.isInteger(n) || n < 0)
    throw new AppError('invalid_input', `n is ${n}; expected a count, 0 or more`);
  if (!(difference >= -1 && difference <= 1))
    throw new AppError('invalid_input', `difference is ${difference}; expected a fraction from -1 to 1`);
  if (rejected && difference === 0)
    throw new AppError('invalid_input', 'difference is 0; a test cannot have rejected that there is none');
  if (n < FEWEST_COMPARED) return { kind: 'not_compared', n };
  if (rejected) return { kind: difference > 0 ? 'higher' : 'lower' };
  if (equivalentWithin !== null) return { kind: 'equivalent', within: equivalentWithin };
  return { kind: 'not_distinguishable', paired, smallestDifference };
}

/** The verdict as every screen and export words it: `not distinguishable (could see >= 7.5 pp)`. */
export function verdictWords(verdict: ComparisonVerdict): string {
  switch (verdict.kind) {
    case 'higher':
    case 'lower':
      return verdict.kind;
    case 'equivalent':
      return `equivalent within ± ${formatPercent(verdict.within)} pp`;
    case 'not_compared':
      return `n = ${verdict.n}, not compared`;
    case 'not_distinguishable': {
      const words = verdict.paired ? 'not distinguishable' : 'not distinguishable, unpaired';
      return verdict.smallestDifference === null
        ? words
        : `${words} (could see >= ${formatPercent(verdict.smallestDifference)} pp)`;
    }
  }
}
