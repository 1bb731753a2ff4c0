'use client';
import { useRef } from 'react';
import { useRouter } from 'next/navigation';
import { Plus } from 'lucide-react';
import { RUN_STATUSES, type RunStatus } from '@/contract/run';
import type { RunRow } from '@/contract/api';
import { Fetched } from '@/components/data/fetched';
import { useRuns } from '@/components/data/run-queries';
import { useUrlState } from '@/components/data/url-state';
import { Button, ButtonLink } from '@/components/ui/button';
import { TextInput } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import { Kbd } from '@/components/ui/kbd';
import { useKeys } from '@/components/ui/key-map';
import { PageHead } from '@/components/ui/page-head';
import { Panel } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';
import { classNames } from '@/components/ui/class-names';
import { RunStatusWord } from './run-status';
import { RunsTable } from './runs-table';
import { countStatuses, filterRuns, readRunsFilter } from './runs-filter';

/** The list of runs with its filters; both filters and the selected row are in the URL. */
export function RunsScreen() {
  const query = useRuns();
  return (
    <>
      <PageHead
        title="Runs"
        actions={
          <ButtonLink href="/launch" variant="primary">
            <Icon of={Plus} /> Launch run <Kbd inverted>n</Kbd>
          </ButtonLink>
        }
      >
        {query.data && <span className="text-sm text-ink-2">{summary(query.data)}</span>}
      </PageHead>
      <Fetched query={query} what="the runs" height={320}>
        {(runs) => (runs.length === 0 ? <FirstVisit /> : <RunsList runs={runs} />)}
      </Fetched>
    </>
  );
}

function summary(runs: readonly RunRow[]): string {
  const counts = countStatuses(runs, '');
  const named = (['running', 'queued', 'lost', 'failed'] as const).flatMap((status) => {
    const count = counts.get(status);
    return count ? [`${count} ${status}`] : [];
  });
  return [`${runs.length} ${runs.length === 1 ? 'run' : 'runs'}`, ...named].join(' · ');
}

function RunsList({ runs }: { runs: readonly RunRow[] }) {
  const { params, set } = useUrlState();
  const router = useRouter();
  const searchBox = useRef<HTMLInputElement>(null);
  const filter = readRunsFilter(params);
  const shown = filterRuns(runs, filter);
  const selectedId = params.get('run');
  const move = (by: number) => {
    const at = shown.findIndex((run) => run.id === selectedId);
    const next =
      shown[at === -1 ? (by > 0 ? 0 : shown.length - 1) : Math.max(0, Math.min(shown.length - 1, at + by))];
    if (!next) return;
    set({ run: next.id });
    document.querySelector(`[data-run="${CSS.escape(next.id)}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  useKeys([
    { keys: ['j', 'ArrowDown'], label: 'next run', hint: true, run: () => move(1) },
    { keys: ['k', 'ArrowUp'], label: 'previous run', hint: true, run: () => move(-1) },
    {
      keys: ['Enter'],
      label: 'open',
      hint: true,
      run: () => {
        if (shown.some((run) => run.id === selectedId)) router.push(`/runs/${selectedId}`);
      },
    },
    { keys: ['/'], label: 'filter', hint: true, run: () => searchBox.current?.focus() },
    { keys: ['n'], label: 'launch', hint: true, run: () => router.push('/launch') },
    {
      keys: ['Escape'],
      label: 'leave the filter',
      run: () => searchBox.current?.blur(),
    },
  ]);
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <TextInput
          ref={searchBox}
          type="search"
          aria-label="Filter by name, id, recipe, preset, seed or worker"
          placeholder="Filter by name, id, recipe, preset, seed, worker"
          value={filter.text}
          onValue={(text) => set({ text })}
          className="max-w-100"
        />
        <StatusFilter
          counts={countStatuses(runs, filter.text)}
          chosen={filter.statuses}
          onChosen={(statuses) => set({ status: statuses.join(',') })}
        />
      </div>
      {shown.length === 0 ? (
        <Panel>
          <EmptyState
            title={`No run matches. ${runs.length} ${runs.length === 1 ? 'is' : 'are'} hidden.`}
            actions={<Button onClick={() => set({ text: null, status: null })}>Drop the filters</Button>}
          />
        </Panel>
      ) : (
        <Panel>
          <RunsTable runs={shown} selectedId={selectedId} />
        </Panel>
      )}
      <p className="mt-2 text-sm text-ink-3">
        {shown.length} of {runs.length} runs shown. Best is picked on the split it is reported on, so it is
        optimistic. Choose on valid_seen, report valid_unseen.
      </p>
    </>
  );
}

function StatusFilter({
  counts,
  chosen,
  onChosen,
}: {
  counts: ReadonlyMap<RunStatus, number>;
  chosen: readonly RunStatus[];
  onChosen: (statuses: RunStatus[]) => void;
}) {
  const offered = RUN_STATUSES.filter((status) => counts.has(status) || chosen.includes(status));
  return (
    <div role="group" aria-label="Filter by status" className="flex flex-wrap gap-1">
      {offered.map((status) => {
        const pressed = chosen.includes(status);
        return (
          <button
            key={status}
            type="button"
            aria-pressed={pressed}
            onClick={() =>
              onChosen(pressed ? chosen.filter((other) => other !== status) : [...chosen, status])
            }
            className={classNames(
              'flex h-6.5 items-center gap-1.5 rounded-md border px-2 text-sm',
              pressed ? 'border-ink bg-selected' : 'border-line bg-surface hover:bg-hover',
            )}
          >
            <RunStatusWord status={status} />
            <span className="text-ink-3">{counts.get(status) ?? 0}</span>
          </button>
        );
      })}
    </div>
  );
}

function FirstVisit() {
  return (
    <Panel>
      <EmptyState
        title="No runs yet."
        actions={
          <ButtonLink href="/launch?recipe=grpo&preset=demo" variant="primary">
            Launch the demo run
          </ButtonLink>
        }
      >
        Runs appear here as soon as one is launched, and their figures follow them live. Launch one from the
        form, or run <code className="font-mono text-mono">npm run demo</code> in the repository, which
        launches the demo run and prints its progress.
      </EmptyState>
    </Panel>
  );
}
