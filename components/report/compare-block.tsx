'use client';
import { useCallback } from 'react';
import { useRouter } from 'next/navigation';
import type { Comparison } from '@/contract/compare';
import { CompareMatrix } from '@/components/compare/compare-matrix';
import { CompareNotes } from '@/components/compare/compare-notes';
import { readCompareState, uncomparedWords, type CompareState } from '@/components/compare/compare-state';
import { compareTable } from '@/components/compare/compare-table';
import { CompareVerdict } from '@/components/compare/compare-verdict';
import { useComparison } from '@/components/data/compare-queries';
import { Fetched } from '@/components/data/fetched';
import { usePacedWork } from '@/components/data/paced-work';
import { ButtonLink } from '@/components/ui/button';
import { Note } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/state-panel';
import { UnfinishedBlock } from './unfinished-block';

/** A comparison as its own screen has it: verdict and matrix, with its filters named. */
export function CompareBlock({ query }: { query: string }) {
  const params = new URLSearchParams(query);
  const state = readCompareState(params);
  const uncompared = uncomparedWords(params);
  const comparison = useComparison(state.names);
  if (state.names.length === 0)
    return (
      <UnfinishedBlock title="No comparison named.">
        Give the address of a comparison, as the Compare screen has it.
      </UnfinishedBlock>
    );
  return (
    <>
      {uncompared.length > 0 && <Note tone="warn">{uncompared.join(' ')}</Note>}
      <Fetched query={comparison} what="the comparison" height={320}>
        {(read) => <Compared comparison={read} state={state} query={query} />}
      </Fetched>
    </>
  );
}

function Compared({
  comparison,
  state,
  query,
}: {
  comparison: Comparison;
  state: CompareState;
  query: string;
}) {
  const router = useRouter();
  const open = (more: string) => router.push(`/compare?${query}${more}`);
  const { baseline, decoding, settings, interval, holm, countsErrors, anyway } = state;
  const work = useCallback(
    () => compareTable(comparison, { baseline, decoding, settings, interval, holm, countsErrors, anyway }),
    [comparison, baseline, decoding, settings, interval, holm, countsErrors, anyway],
  );
  const table = usePacedWork(work);
  if (!table) return <Skeleton height={320} label="Working out the comparison" />;
  return (
    <div className="flex flex-col gap-2.5">
      <p className="flex items-center gap-2 text-sm text-ink-2">
        {choiceWords(state)}
        <ButtonLink href={`/compare?${query}`} size="small" className="print:hidden">
          Open
        </ButtonLink>
      </p>
      <CompareVerdict table={table} />
      <CompareNotes table={table} anyway={anyway} onAnyway={() => open('&anyway=1')} />
      <CompareMatrix
        table={table}
        selected={null}
        onSelect={(name) => open(`&row=${encodeURIComponent(name)}`)}
      />
    </div>
  );
}

function choiceWords({ names, baseline, decoding, interval, holm, countsErrors }: CompareState): string {
  return [
    `Checkpoints ${names.join(', ')}`,
    `baseline ${baseline ?? 'none'}`,
    decoding,
    interval === 'wilson' ? 'Wilson 95%' : 'Clopper-Pearson 95%',
    holm ? 'Holm where there are several p-values' : 'p-values not adjusted',
    countsErrors ? 'errors count as failures' : 'errors left out',
  ].join('; ');
}
