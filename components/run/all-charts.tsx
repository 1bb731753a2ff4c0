'use client';
import { useMemo, type ReactNode } from 'react';
import type { RunDetail, SeriesCurve } from '@/contract/api';
import { isFinalStatus } from '@/contract/run';
import { CrosshairProvider } from '@/components/charts/crosshair';
import { Fetched } from '@/components/data/fetched';
import { useSeries, useSeriesNames } from '@/components/data/run-queries';
import { useUrlState, countParam } from '@/components/data/url-state';
import { Note, SectionHead } from '@/components/ui/panel';
import { resumesOf, type ChartFrame } from './chart-frame';
import { MetricChart } from './metric-chart';
import { otherSeries, seriesGroups, trainingMetrics } from './other-series';

/** Every training metric that the product names, by area, then every other series that the run has. */
export function AllCharts({ detail }: { detail: RunDetail }) {
  const names = trainingMetrics(detail.view);
  const series = useSeries(detail.run.id, names);
  const frame = usePinningFrame(detail);
  return (
    <CrosshairProvider>
      {frame.resumes.map(({ step }) => (
        <div key={step} className="mb-2.5">
          <Note tone="warn">
            Attempt {detail.view.attempt} went on from step {step}. What it has overwritten is drawn faint.
          </Note>
        </div>
      ))}
      {[...new Set(names.map(areaOf))].map((area) => (
        <ChartSection key={area} title={area} label={`Metrics of ${area}`}>
          <Charts names={names.filter((name) => areaOf(name) === area)} curves={series.data} frame={frame} />
        </ChartSection>
      ))}
      <OtherCharts detail={detail} frame={frame} />
    </CrosshairProvider>
  );
}

function usePinningFrame(detail: RunDetail): ChartFrame {
  const { params, set } = useUrlState();
  const pinnedStep = countParam(params, 'at');
  const smoothing = Math.min(0.98, Math.max(0, Number(params.get('smooth') ?? 0) || 0));
  return useMemo(
    () => ({
      reachedStep: detail.view.step,
      lastStep: Math.max(detail.view.steps ?? detail.run.steps ?? 0, detail.view.step),
      isOver: isFinalStatus(detail.view.status),
      smoothing,
      pinnedStep,
      resumes: resumesOf(detail),
      onPin: (step) => set({ at: step === pinnedStep ? null : step }),
    }),
    [detail, smoothing, pinnedStep, set],
  );
}

/** Series under names that the product does not know, evaluations' among them, as the run named them. */
function OtherCharts({ detail, frame }: { detail: RunDetail; frame: ChartFrame }) {
  const query = useSeriesNames(detail.run.id);
  return (
    <Fetched query={query} what="the names of other series" height={200}>
      {(stored) => {
        const groups = seriesGroups(otherSeries(stored, detail.view));
        if (groups.length === 0) return null;
        return (
          <ChartSection
            title="Other"
            caption="evaluations, and series under names of the run’s own"
            label="Other series"
          >
            {groups.map((names) => (
              <FetchedCharts key={names[0]} runId={detail.run.id} names={names} frame={frame} />
            ))}
          </ChartSection>
        );
      }}
    </Fetched>
  );
}

function FetchedCharts({
  runId,
  names,
  frame,
}: {
  runId: string;
  names: readonly string[];
  frame: ChartFrame;
}) {
  return <Charts names={names} curves={useSeries(runId, names).data} frame={frame} />;
}

function ChartSection({
  title,
  caption,
  label,
  children,
}: {
  title: string;
  caption?: string;
  label: string;
  children: ReactNode;
}) {
  return (
    <section aria-label={label} className="mt-5.5 first:mt-0">
      <SectionHead title={title} caption={caption} />
      <div className="grid grid-cols-1 gap-2.5 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">{children}</div>
    </section>
  );
}

function Charts({
  names,
  curves,
  frame,
}: {
  names: readonly string[];
  curves: readonly SeriesCurve[] | undefined;
  frame: ChartFrame;
}) {
  const byName = new Map(curves?.map((curve) => [curve.name, curve]));
  return names.map((name) => <MetricChart key={name} name={name} curve={byName.get(name)} frame={frame} />);
}

function areaOf(name: string): string {
  return name.split('/')[0] ?? name;
}
