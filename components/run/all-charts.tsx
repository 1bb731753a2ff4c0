'use client';
import { useMemo, useState, type ReactNode } from 'react';
import type { EvaluationRow, RunDetail } from '@/contract/api';
import { formatCount } from '@/contract/format';
import { isFinalStatus } from '@/contract/run';
import { CrosshairProvider } from '@/components/charts/crosshair';
import { Fetched } from '@/components/data/fetched';
import { useEvaluations, useSeries, useSeriesNames } from '@/components/data/run-queries';
import { useUrlState, countParam } from '@/components/data/url-state';
import { TextInput } from '@/components/ui/field';
import { Note, SectionHead } from '@/components/ui/panel';
import { NotRecorded } from '@/components/ui/state-panel';
import { WhenNear } from '@/components/ui/when-near';
import { resumesOf, type ChartFrame } from './chart-frame';
import { MetricChart } from './metric-chart';
import { withPointMenu } from './point-menu';
import { matchesName, otherSeries, seriesGroups, trainingMetrics } from './other-series';
import { trains } from './run-parts';

/** Height of a chart and of the gap below it, and most charts in a row, in px and charts. */
const CHART_PX = 170;
const CHARTS_A_ROW = 4;

/**
 * Every metric of training that the product names, by area, then every other series that the run has. Of an import its
 * own series come first, and of the product's names those that its log has.
 */
export function AllCharts({ detail }: { detail: RunDetail }) {
  const isImport = detail.run.kind === 'import';
  const names = trainingMetrics(detail.view, !isImport && trains(detail.run.recipe));
  const evaluations = useEvaluations(detail.run.id).data ?? NO_EVALUATIONS;
  const frame = usePinningFrame(detail, evaluations);
  return (
    <CrosshairProvider>
      {frame.resumes.map(({ step }) => (
        <div key={step} className="mb-2.5">
          <Note tone="warn">
            Attempt {detail.view.attempt} went on from step {step}. What it has overwritten is drawn faint.
          </Note>
        </div>
      ))}
      {isImport && <OtherCharts detail={detail} frame={frame} />}
      <TrainingCharts runId={detail.run.id} names={names} frame={frame} />
      {!isImport && <OtherCharts detail={detail} frame={frame} />}
    </CrosshairProvider>
  );
}

function TrainingCharts({ names, ...charts }: ChartsProps) {
  return [...new Set(names.map(areaOf))].map((area) => (
    <section key={area} aria-label={`Metrics of ${area}`} className="mt-5.5 first:mt-0">
      <SectionHead title={area} />
      <NearCharts names={names.filter((name) => areaOf(name) === area)} {...charts} />
    </section>
  ));
}

interface ChartsProps {
  runId: string;
  names: readonly string[];
  frame: ChartFrame;
}

const NO_EVALUATIONS: readonly EvaluationRow[] = [];

function usePinningFrame(detail: RunDetail, evaluations: readonly EvaluationRow[]): ChartFrame {
  const [menuChart, setMenuChart] = useState<string | null>(null);
  const { params, set } = useUrlState();
  const pinnedStep = countParam(params, 'at');
  const smoothing = Math.min(0.98, Math.max(0, Number(params.get('smooth') ?? 0) || 0));
  const bare = useMemo<ChartFrame>(
    () => ({
      reachedStep: detail.view.step,
      lastStep: Math.max(detail.view.steps ?? detail.run.steps ?? 0, detail.view.step),
      isOver: isFinalStatus(detail.view.status),
      isReading: false,
      smoothing,
      pinnedStep,
      resumes: resumesOf(detail),
      onPin: (step, chart) => {
        set({ at: step === pinnedStep ? null : step });
        setMenuChart(chart);
      },
    }),
    [detail, smoothing, pinnedStep, set],
  );
  return withPointMenu(bare, {
    runId: detail.run.id,
    evaluations,
    chart: menuChart,
    onClose: () => setMenuChart(null),
  });
}

/** Series under names that the product does not know, evaluations' among them, as the run named them; `series` filters. */
function OtherCharts({ detail, frame }: { detail: RunDetail; frame: ChartFrame }) {
  const query = useSeriesNames(detail.run.id);
  const { params, set } = useUrlState();
  const wanted = params.get('series') ?? '';
  return (
    <Fetched query={query} what="the names of other series" height={200}>
      {(stored) => {
        const others = otherSeries(stored, detail.view);
        const isImport = detail.run.kind === 'import';
        if (others.length === 0)
          return isImport && Object.keys(detail.view.latest).length === 0 ? (
            <NotRecorded>The import has no series.</NotRecorded>
          ) : null;
        const shown = others.filter((name) => matchesName(name, wanted));
        return (
          <section aria-label="Other series" className="mt-5.5 first:mt-0">
            <SectionHead
              title={isImport ? 'Of the log' : 'Other'}
              caption="evaluations, and series under names of the run’s own"
            >
              <span className="text-sm text-ink-3">
                {formatCount(shown.length)} of {formatCount(others.length)} series
              </span>
              <TextInput
                type="search"
                aria-label="Filter series by name"
                placeholder="Filter by name"
                value={wanted}
                onValue={(series) => set({ series })}
                className="w-56"
              />
            </SectionHead>
            {seriesGroups(shown).map((names) => (
              <NearCharts key={names[0]} runId={detail.run.id} names={names} frame={frame} />
            ))}
          </section>
        );
      }}
    </Fetched>
  );
}

/** Charts that are fetched and drawn once the reader comes near them. */
function NearCharts({ names, ...charts }: ChartsProps) {
  return (
    <WhenNear height={Math.ceil(names.length / CHARTS_A_ROW) * CHART_PX}>
      <ChartGrid>
        <Charts names={names} {...charts} />
      </ChartGrid>
    </WhenNear>
  );
}

function ChartGrid({ children }: { children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-2.5 pb-2.5 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
      {children}
    </div>
  );
}

function Charts({ runId, names, frame }: ChartsProps) {
  const { data: curves, isPending } = useSeries(runId, names);
  const byName = new Map(curves?.map((curve) => [curve.name, curve]));
  return names.map((name) => (
    <MetricChart
      key={name}
      name={name}
      curve={byName.get(name)}
      frame={isPending ? { ...frame, isReading: true } : frame}
    />
  ));
}

function areaOf(name: string): string {
  return name.split('/')[0] ?? name;
}
