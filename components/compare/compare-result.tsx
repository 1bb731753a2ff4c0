'use client';
import { useCallback, useMemo } from 'react';
import { useRouter } from 'next/navigation';
import type { Comparison } from '@/contract/compare';
import { usePacedWork } from '@/components/data/paced-work';
import type { UrlChanges } from '@/components/data/url-state';
import { ExportMenu } from '@/components/export/export-menu';
import { useKeys } from '@/components/ui/key-map';
import { PageHead } from '@/components/ui/page-head';
import { Skeleton } from '@/components/ui/state-panel';
import { BehaviourPanel } from './behaviour-panel';
import { CompareBar } from './compare-bar';
import { CompareDetails, firstPair } from './compare-details';
import { compareFilters, exportMatrix } from './compare-export';
import { settingWords } from './compare-words';
import { CompareMatrix } from './compare-matrix';
import { CompareNotes } from './compare-notes';
import type { CompareState } from './compare-state';
import { behavioursOf, compareTable, type CompareTable } from './compare-table';
import { CompareVerdict } from './compare-verdict';

interface CompareResultProps {
  comparison: Comparison;
  state: CompareState;
  set: (changes: UrlChanges) => void;
  onNames: (names: string[]) => void;
  onAdd: () => void;
}

/** What was read, worked out: verdict, matrix, and beneath it the tasks of the row under the cursor. */
export function CompareResult({ comparison, state, set, onNames, onAdd }: CompareResultProps) {
  const { baseline, decoding, settings, interval, holm, countsErrors, anyway } = state;
  const work = useCallback(
    () => compareTable(comparison, { baseline, decoding, settings, interval, holm, countsErrors, anyway }),
    [comparison, baseline, decoding, settings, interval, holm, countsErrors, anyway],
  );
  const table = usePacedWork(work);
  const behaviours = usePacedWork(useCallback(() => behavioursOf(table ?? { rows: [] }), [table]));
  const tasks = useMemo(() => new Map(comparison.tasks.map((task) => [task.taskId, task])), [comparison]);
  const selected = table && selectedRow(table, state);
  useCompareKeys(table, selected?.name ?? null, set, () =>
    table && selected ? firstPair(table, selected, state, tasks) : null,
  );
  const { checkpoints } = comparison;
  const bar = <CompareBar {...{ state, checkpoints, table, onNames, onAdd, set }} />;
  if (!table)
    return (
      <>
        <PageHead title="Compare" />
        {bar}
        <Skeleton height={560} label="Working out the comparison" />
      </>
    );
  const filters = compareFilters(table, state);
  return (
    <>
      <PageHead
        title="Compare"
        actions={<ExportMenu table={() => exportMatrix(table, behaviours, filters)} hasKey />}
      >
        <span className="text-sm text-ink-2">{settingWords(table)}</span>
      </PageHead>
      {bar}
      <div className="flex flex-col gap-2.5">
        <CompareVerdict table={table} />
        <CompareNotes
          table={table}
          anyway={state.anyway}
          onAnyway={(value) => set({ anyway: value ? 1 : null })}
        />
        <CompareMatrix
          table={table}
          selected={selected?.name ?? null}
          onSelect={(name) => set({ row: name })}
        />
        <BehaviourPanel table={table} behaviours={behaviours} />
        <CompareDetails
          table={table}
          comparison={comparison}
          tasks={tasks}
          selected={selected}
          state={state}
          filters={filters}
          set={set}
        />
      </div>
    </>
  );
}

/** The row of the address, else the last that is not the baseline. */
function selectedRow(table: CompareTable, { row }: CompareState) {
  return (
    table.rows.find(({ name }) => name === row) ??
    table.rows.findLast(({ name }) => name !== table.baseline?.name) ??
    null
  );
}

function useCompareKeys(
  table: CompareTable | null,
  selected: string | null,
  set: CompareResultProps['set'],
  pairOf: () => string | null,
) {
  const router = useRouter();
  const move = (by: 1 | -1) => {
    if (!table) return;
    const at = table.rows.findIndex(({ name }) => name === selected);
    const next = table.rows[Math.max(0, Math.min(table.rows.length - 1, at + by))];
    if (!next) return;
    set({ row: next.name });
    document.querySelector(`[data-row="${CSS.escape(next.name)}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  useKeys([
    { keys: ['j', 'ArrowDown'], label: 'next row', hint: true, run: () => move(1) },
    { keys: ['k', 'ArrowUp'], label: 'row before', hint: true, run: () => move(-1) },
    {
      keys: ['Enter'],
      label: 'open the run',
      hint: true,
      run: () => {
        const row = table?.rows.find(({ name }) => name === selected);
        if (row) router.push(`/runs/${encodeURIComponent(row.checkpoint.runId)}?at=${row.checkpoint.step}`);
      },
    },
    {
      keys: ['p'],
      label: 'pair of the first changed task',
      hint: true,
      run: () => {
        const address = pairOf();
        if (address !== null) router.push(address);
      },
    },
    {
      keys: ['b'],
      label: 'set baseline',
      hint: true,
      run: () => set({ baseline: selected }),
    },
  ]);
}
