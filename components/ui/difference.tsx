import { formatDifference, MISSING } from '@/contract/format';
import { newcombe } from '@/stats/newcombe';
import { SMALL_SAMPLE } from './rate';

/** What the interval takes for granted, for a title. */
const DIFFERENCE_METHOD =
  'Newcombe 1998, method 10, from the Wilson bounds. It takes the sides as independent: on the same tasks it is ' +
  'conservative, wider than a paired interval.';

interface Count {
  successes: number;
  n: number;
}

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
export function Difference({ a, b }: { a: Count | null | undefined; b: Count | null | undefined }) {
  if (!a?.n || !b?.n) return <span className="text-ink-3">{MISSING}</span>;
  const fewest = Math.min(a.n, b.n);
  if (fewest < SMALL_SAMPLE) return <span className="text-ink-3">n = {fewest}, not compared</span>;
  const interval = newcombe({ k: a.successes, n: a.n }, { k: b.successes, n: b.n });
  const decided = interval.low > 0 || interval.high < 0;
  return (
    <span
      className="inline-flex flex-col items-end whitespace-nowrap tabular-nums"
      title={`${a.successes}/${a.n} less ${b.successes}/${b.n}. ${DIFFERENCE_METHOD}`}
    >
      <span className={decided ? undefined : 'text-ink-3'}>{formatDifference(interval)}</span>
      {!decided && <span className="text-xs text-ink-3">not distinguishable</span>}
    </span>
  );
}
