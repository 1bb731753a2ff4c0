'use client';
import type { RunDetail, SeriesSum } from '@/contract/api';
import { formatAmount, formatMillions } from '@/contract/format';
import { valueAtPath } from '@/components/launch/config-path';
import { useSeriesSums } from '@/components/data/run-queries';
import { runConfigOf } from './run-config-of';

/** Models besides the run's own, and where its config has the currencies of their prices. */
const ASKED = {
  judge: { title: 'Judge', currencies: ['judge.endpoint.prices.currency'] },
  teacher: {
    title: 'Teacher',
    currencies: ['teacher.endpoint.prices.currency', 'teacher.prices.currency'],
  },
};
type Asked = keyof typeof ASKED;
const ASKED_MODELS = ['judge', 'teacher'] as const satisfies readonly Asked[];

const ASKED_SERIES = ASKED_MODELS.flatMap((who) => [
  `tokens/${who}/prefilled`,
  `tokens/${who}/reused`,
  `tokens/${who}/sampled`,
  `cost/${who}`,
]);

/** What other models that the run asked have used and cost, in words; nothing where it asked none. */
export function AskedModels({ detail }: { detail: RunDetail }) {
  const sums = useSeriesSums(detail.run.id, ASKED_SERIES);
  const config = runConfigOf(detail);
  const words = ASKED_MODELS.flatMap((who) => askedWords(who, sums.data ?? [], config) ?? []);
  if (words.length === 0) return null;
  return (
    <ul className="border-t border-line px-2.5 py-1.5 text-sm text-ink-2">
      {words.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

/** Null where the run counted nothing of it. */
function askedWords(who: Asked, sums: readonly SeriesSum[], config: unknown): string | null {
  const sumOf = (name: string) => {
    const found = sums.find((sum) => sum.name === name);
    return found && found.count > 0 ? found.sum : null;
  };
  const [prefilled, reused, sampled] = (['prefilled', 'reused', 'sampled'] as const).map((kind) =>
    sumOf(`tokens/${who}/${kind}`),
  );
  if (prefilled === null && sampled === null) return null;
  const { title, currencies } = ASKED[who];
  const tokens = [
    `${formatMillions(prefilled ?? null)} million tokens prefilled`,
    `${formatMillions(reused ?? null)} reused`,
    `${formatMillions(sampled ?? null)} sampled`,
  ].join(', ');
  const cost = sumOf(`cost/${who}`);
  const currency = currencies
    .map((path) => valueAtPath(config, path))
    .find((value) => typeof value === 'string');
  const amount = formatAmount(cost);
  const costWords = cost === null ? 'not priced' : currency ? `${currency} ${amount}` : amount;
  return `${title}, besides: ${tokens}; ${costWords}.`;
}
