'use client';
import { useEffect, useMemo, useRef } from 'react';
import { useRouter } from 'next/navigation';
import { formatCount } from '@/contract/format';
import type { RunsSummary } from '@/contract/run-list';
import { Fetched } from '@/components/data/fetched';
import { useRunPages, useRunsSummary } from '@/components/data/run-list-queries';
import { useSettled } from '@/components/data/settled';
import { useUrlState, type UrlChanges } from '@/components/data/url-state';
import { Button } from '@/components/ui/button';
import { useKeys } from '@/components/ui/key-map';
import { ExportMenu } from '@/components/export/export-menu';
import { Panel, PanelHead } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';
import { useVirtualRows } from '@/components/ui/virtual-rows';
import { readRunsFilter, RUN_FILTERS, selectionOf } from './runs-filter';
import { RunsFilterBar } from './runs-filter-bar';
import { exportRuns } from './runs-export';
import { RunsSelectionBar } from './runs-selection';
import { RUN_ROW_PX, RunsTable } from './runs-table';

const TYPING_MS = 200;
/** Rows before the end of those read at which the next page is asked for. */
const READ_AHEAD = 40;

/** Filters and rows. Rows are read as the reader comes near them, drawn as the window shows them. */
export function RunsList({ all }: { all: RunsSummary }) {
  const { params, set } = useUrlState();
  const text = useSettled(params.get('text') ?? '', TYPING_MS);
  const query = readRunsFilter({ get: (name) => (name === 'text' ? text : params.get(name)) });
  const pages = useRunPages(query);
  const summary = useRunsSummary(selectionOf(query)).data ?? all;
  const searchBox = useRef<HTMLInputElement>(null);
  useKeys([
    { keys: ['/'], label: 'filter', hint: true, run: () => searchBox.current?.focus() },
    { keys: ['Escape'], label: 'leave the filter', run: () => searchBox.current?.blur() },
  ]);
  return (
    <>
      <RunsFilterBar
        query={query}
        summary={summary}
        text={params.get('text') ?? ''}
        searchBox={searchBox}
        onChange={(changes) => set({ ...changes, run: null })}
      />
      <Panel>
        <Fetched query={pages} what="the runs" height={320}>
          {() => (
            <Rows
              pages={pages}
              query={query}
              selectedId={params.get('run')}
              markedIds={(params.get('marked') ?? '').split(',').filter(Boolean)}
              set={set}
              total={all.total}
              matching={summary.matching}
            />
          )}
        </Fetched>
      </Panel>
      <p className="mt-2 text-sm text-ink-3">
        {formatCount(summary.matching)} of {formatCount(all.total)} runs match. Best is picked on the split it
        is reported on, so it is optimistic. Choose on valid_seen, report valid_unseen.
      </p>
    </>
  );
}

interface RowsProps {
  pages: ReturnType<typeof useRunPages>;
  query: ReturnType<typeof readRunsFilter>;
  selectedId: string | null;
  /** Chosen to be compared. */
  markedIds: readonly string[];
  set: (changes: UrlChanges) => void;
  total: number;
  matching: number;
}

function Rows({ pages, query, selectedId, markedIds, set, total, matching }: RowsProps) {
  const router = useRouter();
  const runs = useMemo(() => pages.data?.pages.flat() ?? [], [pages.data]);
  const heights = useMemo(() => runs.map(() => RUN_ROW_PX), [runs]);
  const virtual = useVirtualRows(heights);
  const place = runs.findIndex((run) => run.id === selectedId);
  const select = (to: number) => {
    const bounded = Math.min(Math.max(to, 0), runs.length - 1);
    const run = runs[bounded];
    if (!run) return;
    set({ run: run.id });
    virtual.show(bounded);
  };
  const mark = (id: string) =>
    set({
      marked: (markedIds.includes(id) ? markedIds.filter((other) => other !== id) : [...markedIds, id]).join(
        ',',
      ),
    });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const nearEnd = virtual.end + READ_AHEAD >= runs.length;
  useEffect(() => {
    if (nearEnd && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [nearEnd, hasNextPage, isFetchingNextPage, fetchNextPage]);
  useKeys([
    { keys: ['j', 'ArrowDown'], label: 'next run', hint: true, run: () => select(place + 1) },
    { keys: ['k', 'ArrowUp'], label: 'previous run', hint: true, run: () => select(Math.max(place, 0) - 1) },
    {
      keys: ['Enter'],
      label: 'open',
      hint: true,
      run: () => {
        if (place !== -1) router.push(`/runs/${selectedId}`);
      },
    },
    {
      keys: ['Space'],
      label: 'select',
      hint: true,
      run: () => {
        if (selectedId !== null && place !== -1) mark(selectedId);
      },
    },
    { keys: ['n'], label: 'launch', hint: true, run: () => router.push('/launch') },
  ]);
  if (runs.length === 0)
    return (
      <EmptyState
        title={`No run matches. ${formatCount(total)} ${total === 1 ? 'is' : 'are'} hidden.`}
        actions={
          <Button onClick={() => set(Object.fromEntries(RUN_FILTERS.map((name) => [name, null])))}>
            Drop the filters
          </Button>
        }
      />
    );
  return (
    <>
      <PanelHead title="Runs" caption="Space selects what is compared">
        <ExportMenu table={() => exportRuns(runs, { matching, filters: filtersOf(query) })} />
      </PanelHead>
      <RunsTable
        runs={runs}
        markedIds={markedIds}
        onMark={mark}
        rows={virtual}
        selectedId={selectedId}
        sort={query.sort}
        direction={query.direction}
        onSort={(sort, direction) =>
          set({
            sort: sort === 'newest' ? null : sort,
            direction: direction === 'desc' ? null : direction,
            run: null,
          })
        }
      />
      {hasNextPage ? (
        <div className="flex justify-center border-t border-line px-2.5 py-1.5">
          <Button size="small" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage ? 'Reading more' : 'Read more'}
          </Button>
        </div>
      ) : null}
      <RunsSelectionBar
        runs={runs.filter(({ id }) => markedIds.includes(id))}
        onClear={() => set({ marked: null })}
      />
    </>
  );
}

/** The filters and the order of the list, for a table that leaves it. */
function filtersOf({ limit: _limit, after: _after, id: _id, ...query }: RowsProps['query']) {
  return Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value: String(value) }],
  );
}
