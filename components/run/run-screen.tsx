'use client';
import { useRouter } from 'next/navigation';
import type { RunDetail } from '@/contract/api';
import { formatCount } from '@/contract/format';
import { CapabilityPanel } from '@/components/capabilities/capability-panel';
import { Fetched } from '@/components/data/fetched';
import { useCheckpoints, useEvaluations, useRun, useSeries } from '@/components/data/run-queries';
import { useUrlState, withChanges } from '@/components/data/url-state';
import { Crumbs, RUNS_CRUMB } from '@/components/ui/crumbs';
import { Kbd } from '@/components/ui/kbd';
import { useKeys } from '@/components/ui/key-map';
import { ButtonLink } from '@/components/ui/button';
import { PageHead } from '@/components/ui/page-head';
import { Panel } from '@/components/ui/panel';
import { Tabs } from '@/components/ui/tabs';
import { CheckpointsTab } from '@/components/evaluate/checkpoints-tab';
import { EvaluationResults } from '@/components/evaluate/evaluation-results';
import { DetectorsPanel } from '@/components/alerts/detectors-panel';
import { FailuresPanel } from '@/components/alerts/failures-panel';
import { SeriesNotesProvider } from '@/components/alerts/series-notes';
import { AllCharts } from './all-charts';
import { CompareLink } from './compare-link';
import { ContinuationPanel } from './continuation-panel';
import { ControlsPanel } from './controls-panel';
import { CostPanel } from './cost-panel';
import { EvaluationsTable } from './evaluations-table';
import { JudgePanel } from './judge-panel';
import { isWorkOfCheckpoint, RequestedWork } from './requested-work';
import { OVERVIEW_SERIES, overviewOf, seriesOfOverview } from './overview-series';
import { RunCharts } from './run-charts';
import { RunConfig } from './run-config';
import { RunFacts } from './run-facts';
import { RunHeader } from './run-header';
import { RunLog } from './run-log';
import { partsOf, recordsTrajectories, RUN_PART_TITLES, trains, type RunPart } from './run-parts';
import { RunProgress } from './run-progress';
import { TaskTypeTable } from './task-type-table';

/** One run, live. The open tab, the pinned step and the smoothing are in the URL. */
export function RunScreen({ runId }: { runId: string }) {
  const query = useRun(runId);
  const { params } = useUrlState();
  // Asked for beside the run, not after it: what the overview draws first is there with it.
  useEvaluations(runId);
  const drawn = query.data ? seriesOfOverview(overviewOf(query.data)) : OVERVIEW_SERIES;
  useSeries(runId, params.has('tab') ? [] : drawn);
  return (
    <Fetched
      query={query}
      what={`run ${runId}`}
      height={560}
      head={<PageHead crumbs={<Crumbs trail={[RUNS_CRUMB]} />} title={runId} />}
    >
      {(detail) => <OpenRun detail={detail} />}
    </Fetched>
  );
}

function OpenRun({ detail }: { detail: RunDetail }) {
  const { params, set } = useUrlState();
  const router = useRouter();
  const runId = detail.run.id;
  const evaluations = useEvaluations(runId);
  const parts = partsOf(detail);
  const tab = parts.find((each) => each === params.get('tab')) ?? 'overview';
  const probes = trains(detail.run.recipe);
  const path = `/runs/${encodeURIComponent(runId)}`;
  const hrefOf = (id: RunPart) =>
    withChanges(path, params.toString(), { tab: id === 'overview' ? null : id });
  useKeys([
    ...parts.map((id, index) => ({
      keys: [String(index + 1)],
      label: RUN_PART_TITLES[id],
      run: () => set({ tab: id === 'overview' ? null : id }, 'push'),
    })),
    ...(probes
      ? [{ keys: ['P'], label: 'first against last step', run: () => router.push(`${path}/probe`) }]
      : []),
  ]);
  const counts: Partial<Record<RunPart, number>> = {
    checkpoints: detail.view.checkpoints.length,
    log: detail.view.log.length,
  };
  return (
    <>
      <RunHeader detail={detail} />
      <Panel>
        {detail.run.recipe !== 'checkpoint-evaluation' && <RunProgress detail={detail} />}
        <RunFacts detail={detail} />
      </Panel>
      <div className="mt-2.5 flex items-end justify-between border-b border-line">
        <Tabs
          label="Parts of the run"
          current={tab}
          tabs={parts.map((id) => ({ id, title: RUN_PART_TITLES[id], count: counts[id], href: hrefOf(id) }))}
        />
        <div className="flex gap-2 pb-1">
          {recordsTrajectories(detail.run.recipe) && (
            <ButtonLink href={`${path}/trajectories`} size="small">
              Trajectories {formatCount(detail.view.trajectories)}
            </ButtonLink>
          )}
          {probes && (
            <ButtonLink href={`${path}/probe`} size="small">
              First against last step <Kbd>⇧P</Kbd>
            </ButtonLink>
          )}
          <CompareLink runId={runId} evaluations={evaluations.data ?? []} />
        </div>
      </div>
      <div className="pt-2.5">
        <SeriesNotesProvider runId={runId}>
          <OpenTab tab={tab} detail={detail} />
        </SeriesNotesProvider>
      </div>
    </>
  );
}

function OpenTab({ tab, detail }: { tab: RunPart; detail: RunDetail }) {
  const evaluations = useEvaluations(detail.run.id);
  const checkpoints = useCheckpoints(detail.run.id);
  const evaluatesOthers = detail.run.recipe === 'checkpoint-evaluation';
  if (evaluatesOthers && (tab === 'overview' || tab === 'evaluations'))
    return <EvaluationResults detail={detail} />;
  if (tab === 'overview' && isWorkOfCheckpoint(detail.run.recipe)) return <RequestedWork detail={detail} />;
  // Of a log only what it holds.
  const isImport = detail.run.kind === 'import';
  switch (tab) {
    case 'overview':
      return (
        <Fetched query={evaluations} what="the evaluations" height={640}>
          {(rows) => (
            <>
              <DetectorsPanel runId={detail.run.id} />
              <RunCharts detail={detail} evaluations={rows} />
              <div className="mt-2.5 grid grid-cols-1 items-start gap-2.5 xl:grid-cols-2">
                {(!isImport || rows.length > 0) && <ControlsPanel evaluations={rows} />}
                {(!isImport || rows.length > 0) && <TaskTypeTable runId={detail.run.id} evaluations={rows} />}
                {(!isImport || countsTokens(detail)) && <CostPanel detail={detail} />}
                <ContinuationPanel tables={detail.view.continuations ?? []} />
                <JudgePanel tables={detail.view.judgeTables ?? []} />
                {(!isImport || detail.view.trajectories > 0) && <FailuresPanel runId={detail.run.id} />}
              </div>
            </>
          )}
        </Fetched>
      );
    case 'charts':
      return <AllCharts detail={detail} />;
    case 'evaluations':
      return (
        <Fetched query={evaluations} what="the evaluations" height={320}>
          {(rows) => (
            <>
              <EvaluationsTable runId={detail.run.id} rows={rows} />
              <CapabilityPanel runId={detail.run.id} evaluations={rows} />
            </>
          )}
        </Fetched>
      );
    case 'checkpoints':
      return (
        <Fetched query={checkpoints} what="the checkpoints" height={320}>
          {(rows) => (
            <CheckpointsTab detail={detail} checkpoints={rows} evaluations={evaluations.data ?? []} />
          )}
        </Fetched>
      );
    case 'log':
      return <RunLog log={detail.view.log} />;
    case 'config':
      return <RunConfig detail={detail} />;
  }
}

function countsTokens({ view }: RunDetail): boolean {
  return Object.keys(view.latest).some((name) => name.startsWith('tokens/'));
}
