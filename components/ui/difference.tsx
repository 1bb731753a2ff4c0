import { formatDifference, MISSING } from '@/contract/format';
import { compareRates, type SuccessCount } from './compare-rates';

/** What the interval takes for granted, for a title. */
const DIFFERENCE_METHOD =
  'Newcombe 1998, method 10, from the Wilson bounds. It takes the sides as independent: on the same tasks it is ' +
  'conservative, wider than a paired interval.';

/** Head of a column of differences. */
export function DifferenceHead({ of = 'Difference' }: { of?: string }) {
  return (
    <span title={DIFFERENCE_METHOD}>
      {of}, pp
      <br />
      95% Newcombe, unpaired
    </span>
  );
}

/**
 * `+6.4 pp [−2.1, 14.7]`: success of `a` less that of `b`. An interval that holds 0 is said to decide nothing; with a
 * small sample on either side nothing is compared.
 */
export function Difference({ a, b }: { a: SuccessCount | null; b: SuccessCount | null }) {
  const comparison = compareRates(a, b);
  if (comparison.kind === 'missing') return <span className="text-ink-3">{MISSING}</span>;
  if (comparison.kind === 'small')
    return <span className="text-ink-3">n = {comparison.n}, not compared</span>;
  const undecided = comparison.relation === 'undecided';
  return (
    <span
      className="inline-flex flex-col items-end whitespace-nowrap tabular-nums"
      title={`${a?.successes}/${a?.n} less ${b?.successes}/${b?.n}. ${DIFFERENCE_METHOD}`}
    >
      <span className={undecided ? 'text-ink-3' : undefined}>{formatDifference(comparison.interval)}</span>
      {undecided && <span className="text-xs text-ink-3">not distinguishable</span>}
    </span>
  );
}
