'use client';
import { useState } from 'react';
import { useRouter } from 'next/navigation';
import type { TrajectoriesPage, TrajectoriesQuery } from '@/contract/api';
import { formatCount } from '@/contract/format';
import { Fetched } from '@/components/data/fetched';
import { useRun } from '@/components/data/run-queries';
import { useTrajectories } from '@/components/data/trajectory-queries';
import { useUrlState, type UrlChanges } from '@/components/data/url-state';
import { runConfigOf } from '@/components/run/run-config-of';
import { Button } from '@/components/ui/button';
import { Crumbs, RUNS_CRUMB } from '@/components/ui/crumbs';
import { useKeys } from '@/components/ui/key-map';
import { PageHead } from '@/components/ui/page-head';
import { Panel } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';
import { RecordedNote } from './recorded-note';
import { filterWords, readTrajectoriesFilter } from './trajectories-filter';
import { TrajectoriesFilterBar } from './trajectories-filter-bar';
import { TrajectoriesTable } from './trajectories-table';
import { groupTrajectories } from './trajectory-groups';

/** Trajectories of a run. Filters, order, page and the selected row (`row`, an id) are in the URL. */
export function TrajectoriesScreen({ runId }: { runId: string }) {
  const { params, set } = useUrlState();
  const { query, ignored } = readTrajectoriesFilter(params);
  const page = useTrajectories(runId, query);
  const run = useRun(runId);
  const newer = useRecordedSince(run.data?.view.trajectories ?? null, page.dataUpdatedAt);
  const config = run.data ? runConfigOf(run.data) : null;
  const runPath = `/runs/${encodeURIComponent(runId)}`;
  return (
    <>
      <PageHead
        crumbs={<Crumbs trail={[RUNS_CRUMB, { title: run.data?.run.name ?? runId, href: runPath }]} />}
        title={query.step === undefined ? 'Trajectories' : `Trajectories of step ${query.step}`}
      >
        {page.data ? <span className="text-sm text-ink-3">{shownWords(page.data, query)}</span> : null}
        {newer > 0 ? (
          <Button size="small" onClick={() => void page.refetch()}>
            {formatCount(newer)} recorded since: read again
          </Button>
        ) : null}
      </PageHead>
      <div className="mb-2.5 flex flex-col gap-2">
        <TrajectoriesFilterBar query={query} page={page.data} onChange={set} />
        {config ? <RecordedNote config={config} phase={query.phase} /> : null}
        {ignored.length > 0 ? (
          <p className="text-sm text-warn">Not a filter, so left out: {ignored.join(', ')}</p>
        ) : null}
      </div>
      <Panel>
        <Fetched query={page} what="the trajectories" height={420}>
          {(data) => (
            <TrajectoryRows
              page={data}
              query={query}
              groupSize={config?.rollout.groupSize ?? null}
              selectedId={params.get('row')}
              set={set}
            />
          )}
        </Fetched>
      </Panel>
    </>
  );
}

/**
 * How many trajectories the run has recorded since a page was read. Rows do not arrive by themselves: a list that moves
 * under the reader's hand cannot be stepped through.
 */
function useRecordedSince(recorded: number | null, readAt: number): number {
  const [then, setThen] = useState<{ readAt: number; recorded: number | null }>({ readAt, recorded });
  if (then.readAt !== readAt || then.recorded === null) {
    if (then.readAt !== readAt || recorded !== null) setThen({ readAt, recorded });
    return 0;
  }
  return Math.max(0, (recorded ?? 0) - then.recorded);
}

interface TrajectoryRowsProps {
  page: TrajectoriesPage;
  query: TrajectoriesQuery;
  groupSize: number | null;
  selectedId: string | null;
  set: (changes: UrlChanges) => void;
}

function TrajectoryRows({ page, query, groupSize, selectedId, set }: TrajectoryRowsProps) {
  const router = useRouter();
  const groups = groupTrajectories(page.trajectories);
  const ids = groups.flatMap((group) => group.rows.map((row) => row.id));
  const place = selectedId === null ? -1 : ids.indexOf(selectedId);
  const select = (index: number) => {
    const id = ids[Math.min(Math.max(index, 0), ids.length - 1)];
    if (id !== undefined) set({ row: id });
  };
  const turnPage = (offset: number) => set({ offset: offset > 0 ? offset : null, row: null });
  const next = query.offset + query.limit;
  useKeys([
    { keys: ['j', 'ArrowDown'], label: 'next row', hint: true, run: () => select(place + 1) },
    { keys: ['k', 'ArrowUp'], label: 'previous row', hint: true, run: () => select(place - 1) },
    {
      keys: ['Enter'],
      label: 'open',
      hint: true,
      run: () => {
        const id = ids[Math.max(place, 0)];
        if (id !== undefined) router.push(`/trajectories/${encodeURIComponent(id)}`);
      },
    },
    {
      keys: ['f'],
      label: 'failed only',
      hint: true,
      run: () => set({ success: query.success === 'false' ? null : 'false', offset: null, row: null }),
    },
  ]);
  if (ids.length === 0) return <NoTrajectories query={query} known={page.steps.length > 0} set={set} />;
  return (
    <>
      <TrajectoriesTable
        groups={groups}
        groupSize={groupSize}
        selectedId={selectedId}
        onSelect={(id) => set({ row: id })}
      />
      <div className="flex items-center justify-end gap-2 border-t border-line px-2.5 py-1.5">
        <Button
          size="small"
          disabled={query.offset === 0}
          onClick={() => turnPage(query.offset - query.limit)}
        >
          Page before
        </Button>
        <Button size="small" disabled={next >= page.total} onClick={() => turnPage(next)}>
          Next page
        </Button>
      </div>
    </>
  );
}

/** `1 to 100 of 1,240 recorded`. */
function shownWords({ trajectories, total }: TrajectoriesPage, { offset }: TrajectoriesQuery): string {
  if (trajectories.length === 0) return `0 of ${formatCount(total)} recorded`;
  return `${formatCount(offset + 1)} to ${formatCount(offset + trajectories.length)} of ${formatCount(total)} recorded`;
}

function NoTrajectories({
  query,
  known,
  set,
}: {
  query: TrajectoriesQuery;
  known: boolean;
  set: (changes: UrlChanges) => void;
}) {
  const filters = filterWords(query);
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
        <Button key={filter.name} size="small" onClick={() => set({ [filter.name]: null, offset: null })}>
          Drop {filter.words}
        </Button>
      ))}
    >
      Training trajectories bear the step of the checkpoint that sampled them; evaluations and probes exist at
      the steps that were evaluated.
    </EmptyState>
  );
}
