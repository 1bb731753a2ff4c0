import { formatDifference, MISSING } from '@/contract/format';
import { verdictWords } from '@/stats/comparison-verdict';
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
 * `+6.4 pp [−2.1, 14.7]`: success of `a` less that of `b`. What is not told apart is said to be; with too few on either
 * side nothing is compared.
 */
export function Difference({ a, b }: { a: SuccessCount | null; b: SuccessCount | null }) {
  const comparison = compareRates(a, b);
  if (!comparison) return <span className="text-ink-3">{MISSING}</span>;
  const { interval, verdict } = comparison;
  if (verdict.kind === 'not_compared') return <span className="text-ink-3">{verdictWords(verdict)}</span>;
  const isTold = verdict.kind === 'higher' || verdict.kind === 'lower';
  return (
    <span
      className="inline-flex flex-col items-end whitespace-nowrap tabular-nums"
      title={`${a?.successes}/${a?.n} less ${b?.successes}/${b?.n}. ${DIFFERENCE_METHOD}`}
    >
      <span className={isTold ? undefined : 'text-ink-3'}>{formatDifference(interval)}</span>
      {!isTold && <span className="text-xs text-ink-3">{verdictWords(verdict)}</span>}
    </span>
  );
}
