import { Panel } from '@/components/ui/panel';
import { Kbd } from '@/components/ui/kbd';
import type { CompareTable } from './compare-table';
import { powerSentences, standingSentence, verdictSentences } from './compare-words';

/** In words: what the comparisons allow to be said, what they could have seen, what to do before reporting. */
export function CompareVerdict({ table }: { table: CompareTable }) {
  const [first, ...others] = verdictSentences(table);
  const power = powerSentences(table);
  return (
    <Panel
      aria-label="Verdict"
      className="grid divide-line max-lg:divide-y lg:grid-cols-[1.25fr_1fr_1fr] lg:divide-x"
    >
      <div className="px-3 py-2.5">
        <h2>{first}</h2>
        {[...others, standingSentence(table.standings)].filter(Boolean).map((sentence) => (
          <p key={sentence} className="text-sm text-ink-2">
            {sentence}
          </p>
        ))}
      </div>
      <div className="px-3 py-2.5">
        <h2>What this evaluation could see</h2>
        {power.length === 0 ? (
          <p className="text-sm text-ink-2">Nothing was tested.</p>
        ) : (
          power.map((sentence) => (
            <p key={sentence} className="text-sm text-ink-2">
              {sentence}
            </p>
          ))
        )}
      </div>
      <div className="px-3 py-2.5">
        <h2>Before you report</h2>
        <p className="text-sm text-ink-2">
          Best is picked on the split it is reported on, so it is optimistic. Choose on valid_seen, report
          valid_unseen. <Comparisons table={table} />
        </p>
      </div>
    </Panel>
  );
}

function Comparisons({ table: { comparisons, adjusted } }: { table: CompareTable }) {
  if (comparisons < 2) return null;
  return (
    <>
      {comparisons} comparisons shown:{' '}
      {adjusted ? 'p-values are Holm’s' : 'exploratory, p-values not adjusted'} <Kbd>h</Kbd>.
    </>
  );
}
