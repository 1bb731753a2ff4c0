'use client';
import { useMemo } from 'react';
import { Link } from '@/components/ui/link';
import type { SeriesCurve } from '@/contract/api';
import { formatCount, formatNumber, MISSING } from '@/contract/format';
import { metricOf } from '@/contract/recipe-metrics';
import type { ReportBlock } from '@/contract/report';
import { CrosshairProvider } from '@/components/charts/crosshair';
import { toLine, toNonFinite, valueAt } from '@/components/charts/curve';
import { LineChart } from '@/components/charts/line-chart';
import { useMetricMarksOf, useSeriesOf } from '@/components/data/report-queries';
import { Panel, PanelHead } from '@/components/ui/panel';
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/state-panel';
import { UnfinishedBlock } from './unfinished-block';

/** Hues of the palette; more runs begin again with dashes. */
const COLORS = 8;

interface DrawnRun {
  runId: string;
  color: string;
  curve: SeriesCurve | undefined;
}

/** A series of some runs by step, one line a run. */
export function ChartBlock({ block: { runs, series } }: { block: ReportBlock & { kind: 'chart' } }) {
  const queries = useSeriesOf(runs, series);
  const marks = useMetricMarksOf(runs);
  if (runs.length === 0 || series === '')
    return (
      <UnfinishedBlock title="No series chosen.">
        Name the runs and the series that are drawn.
      </UnfinishedBlock>
    );
  const failed = queries.find(({ error }) => error);
  if (failed?.error)
    return (
      <ErrorState
        title="Could not read the series."
        message={failed.error.message}
        onRetry={() => void failed.refetch()}
      />
    );
  if (queries.some(({ data }) => data === undefined))
    return <Skeleton height={260} label="Loading the series" />;
  const hidden = runs.flatMap((runId, index) => {
    const mark = marks[index]?.data?.find(({ name }) => name === series);
    return mark ? [{ runId, reason: mark.reason }] : [];
  });
  const drawn = runs.map((runId, index) => ({
    runId,
    color: `c${(index % COLORS) + 1}`,
    curve: queries[index]?.data?.find(({ name }) => name === series),
  }));
  const shown = drawn.filter(({ runId }) => !hidden.some((each) => each.runId === runId));
  return (
    <>
      {shown.length > 0 && <Curves series={series} drawn={shown} />}
      {hidden.map(({ runId, reason }) => (
        <p key={runId} className="text-sm text-ink-2">
          {series} of {runId} is marked meaningless and not drawn: {reason}
        </p>
      ))}
    </>
  );
}

function Curves({ series, drawn }: { series: string; drawn: readonly DrawnRun[] }) {
  const metric = metricOf(series);
  const title = metric?.title ?? series;
  const content = useMemo(() => contentOf(drawn), [drawn]);
  const hasPoints = content.lines.some(({ steps }) => steps.length > 0);
  return (
    <Panel aria-label={title}>
      <PanelHead
        title={title}
        caption={`${series} by step; the last value of each of at most 1,000 buckets`}
      />
      {hasPoints ? (
        <div className="flex h-64">
          <CrosshairProvider>
            <LineChart
              content={content}
              title={title}
              label={`${title}: ${drawn.map(legendWords).join('; ')}`}
              formatY={formatNumber}
              yRange={[null, null]}
              onPin={() => undefined}
            />
          </CrosshairProvider>
        </div>
      ) : (
        <EmptyState title="No points.">None of the runs has measured {series}.</EmptyState>
      )}
      <ul className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line px-2.5 py-1.5 text-sm">
        {drawn.map((run) => (
          <li key={run.runId} className="flex items-center gap-1.5">
            <span className="size-2 rounded-full" style={{ background: `var(--${run.color})` }} aria-hidden />
            <Link href={`/runs/${encodeURIComponent(run.runId)}`} className="text-link">
              {run.runId}
            </Link>
            <span className="text-ink-3">{legendWords(run).slice(run.runId.length + 1)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** `r-0001 0.52 at step 40, 40 points`. */
function legendWords({ runId, curve }: DrawnRun): string {
  const buckets = curve?.buckets ?? [];
  const points = buckets.reduce((sum, { count, nonFinite }) => sum + count + nonFinite, 0);
  const last = valueAt(toLine(buckets), Infinity);
  const value = last === null ? MISSING : `${formatNumber(last.value)} at step ${last.step}`;
  return `${runId} ${value}, n = ${formatCount(points)} points`;
}

function contentOf(drawn: readonly DrawnRun[]) {
  const lastStep = Math.max(1, ...drawn.map(({ curve }) => curve?.buckets.at(-1)?.toStep ?? 0));
  return {
    lines: drawn.map(({ runId, color, curve }, index) => ({
      ...toLine(curve?.buckets ?? []),
      id: runId,
      color,
      width: 1.6,
      ...(index >= COLORS && { dash: [4, 3] }),
    })),
    nonFinite: drawn.flatMap(({ curve }) => toNonFinite(curve?.buckets ?? [])),
    reachedStep: lastStep,
    lastStep,
    pinnedStep: null,
  };
}
