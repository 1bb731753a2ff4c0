'use client';
import { useEffect, useMemo, useRef } from 'react';
import { useRouter } from 'next/navigation';
import { formatCount } from '@/contract/format';
import type { TrajectorySelection } from '@/contract/trajectory-list';
import { Fetched } from '@/components/data/fetched';
import type { UrlChanges } from '@/components/data/url-state';
import { Button } from '@/components/ui/button';
import { useKeys } from '@/components/ui/key-map';
import { ExportMenu } from '@/components/export/export-menu';
import { Panel, PanelHead } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';
import { useVirtualRows } from '@/components/ui/virtual-rows';
import { writePosition } from './position';
import { exportTrajectories, matchingWords } from './trajectories-export';
import { filterWords } from './trajectories-filter';
import { TrajectoriesFilterBar } from './trajectories-filter-bar';
import { TrajectoriesTable } from './trajectories-table';
import { ITEM_HEIGHTS, listItems, type ListItem } from './trajectory-groups';
import { UnreadRow } from './unread-row';
import type { useTrajectoryList } from './use-trajectory-list';

/** Rows before the end of those read at which the next page is asked for. */
const READ_AHEAD = 30;

interface TrajectoryListProps {
  list: ReturnType<typeof useTrajectoryList>;
  ofAllRuns: boolean;
  groupSize: number | null;
}

/** Filters and rows. Rows are read as the reader comes near them, drawn as the window shows them. */
export function TrajectoryList({ list, ofAllRuns, groupSize }: TrajectoryListProps) {
  const { params, set, query, ignored, wordless, pages, values } = list;
  const searchBox = useRef<HTMLInputElement>(null);
  const rows = useMemo(() => pages.data?.pages.flatMap((page) => page.trajectories) ?? [], [pages.data]);
  const summary = list.summary.isPlaceholderData ? undefined : list.summary.data;
  const selectedId = params.get('row');
  const isRowUnread =
    pages.isSuccess && !pages.isPlaceholderData && !rows.some(({ id }) => id === selectedId);
  const items = useMemo(() => {
    const figures = pages.data?.pages.flatMap((page) => page.groups) ?? [];
    return listItems(rows, figures, query.order === 'newest');
  }, [pages.data, rows, query.order]);
  useKeys([
    { keys: ['/'], label: 'search', hint: true, run: () => searchBox.current?.focus() },
    { keys: ['Escape'], label: 'leave the search', run: () => searchBox.current?.blur() },
    {
      keys: ['f'],
      label: 'failed only',
      hint: true,
      run: () => set({ success: query.success === 'false' ? null : 'false', row: null }),
    },
  ]);
  return (
    <>
      <div className="mb-2.5 flex flex-col gap-2">
        <TrajectoriesFilterBar
          query={query}
          values={values.data}
          searchBox={searchBox}
          read={(name) => params.get(name) ?? ''}
          onChange={set}
        />
        {ignored.length > 0 ? (
          <p className="text-sm break-all text-warn">Not a filter, so left out: {ignored.join(', ')}</p>
        ) : null}
        {wordless !== null ? (
          <p className="text-sm break-words text-warn" role="status">
            Nothing to search for in “{wordless}”: words are letters and digits, punctuation is not searched.
            The text is left out of the filters.
          </p>
        ) : null}
        {isRowUnread && selectedId !== null ? (
          <UnreadRow id={selectedId} read={rows.length} isWhole={!pages.hasNextPage} />
        ) : null}
      </div>
      <Panel>
        {rows.length > 0 ? (
          <PanelHead
            title="Rows"
            caption={`${formatCount(rows.length)} of ${matchingWords(summary)} read; an export holds those`}
          >
            {/* Rows of the filters before the last change must not leave under the new ones' names. */}
            {pages.isPlaceholderData ? null : (
              <ExportMenu table={() => exportTrajectories(rows, { runId: list.runId, query, summary })} />
            )}
          </PanelHead>
        ) : null}
        <Fetched query={pages} what="the trajectories" height={420}>
          {() =>
            items.length === 0 ? (
              <NoTrajectories selection={query} known={values.data?.taskTypes.length !== 0} set={set} />
            ) : (
              <Rows list={list} items={items} ofAllRuns={ofAllRuns} groupSize={groupSize} />
            )
          }
        </Fetched>
      </Panel>
    </>
  );
}

function Rows({ list, items, ofAllRuns, groupSize }: TrajectoryListProps & { items: readonly ListItem[] }) {
  const { params, set, query, pages } = list;
  const router = useRouter();
  const heights = useMemo(() => items.map((item) => ITEM_HEIGHTS[item.kind]), [items]);
  const virtual = useVirtualRows(heights);
  const places = useMemo(() => items.flatMap((item, index) => (item.kind === 'row' ? [index] : [])), [items]);
  const selectedId = params.get('row');
  const rowAt = (place: number) => {
    const item = items[places[place] ?? -1];
    return item?.kind === 'row' ? item.row : null;
  };
  const place = places.findIndex((_, index) => rowAt(index)?.id === selectedId);
  const select = (to: number) => {
    const bounded = Math.min(Math.max(to, 0), places.length - 1);
    const row = rowAt(bounded);
    if (!row) return;
    set({ row: row.id });
    virtual.show(places[bounded] ?? 0);
  };
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const nearEnd = virtual.end + READ_AHEAD >= items.length;
  useEffect(() => {
    if (nearEnd && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [nearEnd, hasNextPage, isFetchingNextPage, fetchNextPage]);
  useKeys([
    { keys: ['j', 'ArrowDown'], label: 'next row', hint: true, run: () => select(place + 1) },
    { keys: ['k', 'ArrowUp'], label: 'previous row', hint: true, run: () => select(place - 1) },
    {
      keys: ['Enter'],
      label: 'open',
      hint: true,
      run: () => {
        const row = rowAt(Math.max(place, 0));
        if (!row) return;
        const turn = row.hit ? `?t=${writePosition(row.hit.turn, row.turnsCount)}` : '';
        router.push(`/trajectories/${encodeURIComponent(row.id)}${turn}`);
      },
    },
  ]);
  return (
    <>
      <TrajectoriesTable
        items={items}
        rows={virtual}
        groupSize={groupSize}
        ofAllRuns={ofAllRuns}
        text={query.text ?? ''}
        selectedId={selectedId}
        onSelect={(id) => set({ row: id })}
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

function NoTrajectories({
  selection,
  known,
  set,
}: {
  selection: TrajectorySelection;
  known: boolean;
  set: (changes: UrlChanges) => void;
}) {
  const filters = filterWords(selection);
  if (!known || filters.length === 0)
    return (
      <EmptyState title="No trajectory is recorded yet.">
        Those of the first evaluation and probe appear as soon as they are played, those of training after the
        first step.
      </EmptyState>
    );
  return (
    <EmptyState
      title={`No trajectory matches ${filters.map((filter) => filter.words).join(', ')}.`}
      actions={filters.map((filter) => (
        <Button key={filter.name} size="small" onClick={() => set({ [filter.name]: null })}>
          <span className="max-w-80 truncate" title={filter.words}>
            Drop {filter.words}
          </span>
        </Button>
      ))}
    >
      Training trajectories bear the step of the checkpoint that sampled them; evaluations and probes exist at
      the steps that were evaluated.
    </EmptyState>
  );
}
