import type { SeriesSum } from '@/contract/api';
import { formatAmount, MISSING } from '@/contract/format';
import type { ListedRun } from '@/contract/run-list';
import { costBill } from './cost-bill';

/** `12.40 USD`: what a run's tokens cost at its prices; n/a where it has none, or where tokens are not known. */
export function runCostWords(run: ListedRun): string {
  if (run.prices === null) return MISSING;
  const sums = Object.entries(run.tokens).map(([name, sum]): SeriesSum => ({
    name,
    sum,
    count: 1,
    overwritten: 0,
    lastStep: null,
    position: 0,
  }));
  const evaluations = run.lastEvaluation ? { last: run.lastEvaluation } : {};
  const { cost } = costBill(sums, { step: run.step, evaluations }, run.prices);
  return cost === null ? MISSING : `${formatAmount(cost)} ${run.prices.currency}`;
}
