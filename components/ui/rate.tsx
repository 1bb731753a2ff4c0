import { FEWEST_COMPARED } from '@/stats/comparison-verdict';
import { wilson } from '@/stats/wilson';
import { MISSING, formatPercent } from '@/contract/format';
import { classNames } from './class-names';

/** `80/140 57.1 [48.9, 65.0]`: count, percent and Wilson 95 % interval; on two lines where `stacked`. */
export function Rate({
  successes,
  n,
  stacked = false,
}: {
  successes: number | null | undefined;
  n: number | null | undefined;
  stacked?: boolean;
}) {
  if (successes === null || successes === undefined || !n)
    return <span className="text-ink-3">{MISSING}</span>;
  const { low, high } = wilson(successes, n);
  const small = n < FEWEST_COMPARED;
  return (
    <span
      className={classNames(
        'whitespace-nowrap tabular-nums',
        stacked && 'inline-flex flex-col',
        small && 'text-ink-3',
      )}
      title={small ? `n = ${n} is small` : undefined}
    >
      <span>
        {successes}/{n} <b className="font-semibold">{formatPercent(successes / n)}</b>
      </span>{' '}
      <span className="text-xs text-ink-3">
        [{formatPercent(low)}, {formatPercent(high)}]
      </span>
    </span>
  );
}
