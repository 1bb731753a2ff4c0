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
import { Panel } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';
import { useVirtualRows } from '@/components/ui/virtual-rows';
import { readRunsFilter, RUN_FILTERS } from './runs-filter';
import { RunsFilterBar } from './runs-filter-bar';
import { RUN_ROW_PX, RunsTable } from './runs-table';

const TYPING_MS = 200;
/** Rows before the end of those read at which the next page is asked for. */
const READ_AHEAD = 40;

/** Filters and rows. Rows are read as the reader comes near them, drawn as the window shows them. */
export function RunsList({ all }: { all: RunsSummary }) {
  const { params, set } = useUrlState();
  const text = useSettled(params.get('text') ?? '', TYPING_MS);
  const query = readRunsFilter({ get: (name) => (name === 'text' ? text : params.get(name)) });
  const { sort: _sort, direction: _direction, limit: _limit, ...selection } = query;
  const pages = useRunPages(query);
  const summary = useRunsSummary(selection).data ?? all;
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
            <Rows pages={pages} query={query} selectedId={params.get('run')} set={set} total={all.total} />
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
  set: (changes: UrlChanges) => void;
  total: number;
}

function Rows({ pages, query, selectedId, set, total }: RowsProps) {
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
      <RunsTable
        runs={runs}
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
    </>
  );
}
