'use client';
import { useState } from 'react';
import { formatCount } from '@/contract/format';
import type { TrajectoriesSummary } from '@/contract/trajectory-list';
import { useRun } from '@/components/data/run-queries';
import { runConfigOf } from '@/components/run/run-config-of';
import { Button, ButtonLink } from '@/components/ui/button';
import { Crumbs, RUNS_CRUMB } from '@/components/ui/crumbs';
import { PageHead } from '@/components/ui/page-head';
import { RecordedNote } from './recorded-note';
import { matchingWords } from './trajectories-export';
import { TrajectoryList } from './trajectory-list';
import { useTrajectoryList } from './use-trajectory-list';

/** Trajectories of all runs. Filters, order and the selected row (`row`, an id) are in the URL. */
export function AllTrajectoriesScreen() {
  const list = useTrajectoryList(null);
  return (
    <>
      <PageHead title="Trajectories of all runs">
        <Matching summary={list.summary.data} isSearch={list.query.text !== undefined} />
        <Button size="small" onClick={() => void list.readAgain()}>
          Read again
        </Button>
      </PageHead>
      <TrajectoryList list={list} ofAllRuns groupSize={null} />
    </>
  );
}

/** Trajectories of a run, with the same state in the URL. */
export function TrajectoriesScreen({ runId }: { runId: string }) {
  const list = useTrajectoryList(runId);
  const run = useRun(runId);
  const newer = useRecordedSince(run.data?.view.trajectories ?? null, list.summary.dataUpdatedAt);
  const config = run.data ? runConfigOf(run.data) : null;
  const { query } = list;
  const runPath = `/runs/${encodeURIComponent(runId)}`;
  return (
    <>
      <PageHead
        crumbs={<Crumbs trail={[RUNS_CRUMB, { title: run.data?.run.name ?? runId, href: runPath }]} />}
        title={query.step === undefined ? 'Trajectories' : `Trajectories of step ${query.step}`}
        actions={<ButtonLink href={`${runPath}/rewards`}>Rewards under another formula</ButtonLink>}
      >
        <Matching summary={list.summary.data} isSearch={query.text !== undefined} />
        {newer > 0 ? (
          <Button size="small" onClick={() => void list.readAgain()}>
            {formatCount(newer)} recorded since: read again
          </Button>
        ) : null}
      </PageHead>
      {config ? (
        <div className="mb-2">
          <RecordedNote config={config} phase={query.phase} />
        </div>
      ) : null}
      <TrajectoryList list={list} ofAllRuns={false} groupSize={config?.rollout.groupSize ?? null} />
    </>
  );
}

/** `1,240 trajectories`, or `more than 10,000`; of a search also what it does not reach yet. */
function Matching({ summary, isSearch }: { summary: TrajectoriesSummary | undefined; isSearch: boolean }) {
  if (!summary) return null;
  const { total, unindexedTurns } = summary;
  return (
    <span className="text-sm text-ink-3" role="status">
      {matchingWords(summary)} {total === 1 ? 'trajectory' : 'trajectories'}
      {isSearch && unindexedTurns > 0 ? ` · ${formatCount(unindexedTurns)} turns not indexed yet` : ''}
    </span>
  );
}

/**
 * How many trajectories the run has recorded since the list was read. Rows do not arrive by themselves: a list that moves
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
