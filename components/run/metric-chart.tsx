'use client';
import { useMemo } from 'react';
import type { SeriesCurve } from '@/contract/api';
import { formatNumber, formatPercent, MISSING } from '@/contract/format';
import type { Metric } from '@/contract/metrics';
import { metricOf } from '@/contract/recipe-metrics';
import { LineChart } from '@/components/charts/line-chart';
import { toLine, valueAt, type Line } from '@/components/charts/curve';
import { useHoveredStep } from '@/components/charts/crosshair';
import { HiddenMetric } from '@/components/alerts/hidden-metric';
import { MarkMetricButton } from '@/components/alerts/mark-metric';
import { useSeriesNotes } from '@/components/alerts/series-notes';
import { Panel } from '@/components/ui/panel';
import type { ChartFrame } from './chart-frame';
import { metricContent } from './metric-content';
import { NoPoints } from './no-points';

/** Units beside a title; none where the title says it or there is none. */
const UNIT_WORDS: Record<Metric['unit'], string> = {
  fraction: '%',
  nats: 'nats',
  seconds: 's',
  tokens: 'tokens',
  turns: '',
  count: '',
  reward: '',
  rate: '',
  ratio: '',
  currency: 'in cost.currency',
};

/** Units whose axis begins at 0. */
const ZERO_BASED: ReadonlySet<Metric['unit']> = new Set<Metric['unit']>([
  'fraction',
  'seconds',
  'count',
  'tokens',
  'rate',
  'currency',
]);

/** One metric by step: raw faint, smoothed in front, the value under the crosshair at the right. */
export function MetricChart({
  name,
  curve,
  frame,
}: {
  name: string;
  curve: SeriesCurve | undefined;
  frame: ChartFrame;
}) {
  const metric = metricOf(name);
  const isFraction = metric?.unit === 'fraction';
  const title = metric?.title ?? name;
  const formatY = (value: number) =>
    isFraction ? `${Number((value * 100).toPrecision(3))}` : formatAxis(value);
  const line = useMemo(() => toLine(curve?.buckets ?? []), [curve]);
  const { alerts, mark, isShown } = useSeriesNotes(name);
  const content = useMemo(
    () => ({ ...metricContent(curve, line, frame), alerts }),
    [curve, line, frame, alerts],
  );
  const recorded = line.steps.length > 0;
  if (mark !== null && !isShown) return <HiddenMetric mark={mark} />;
  return (
    <Panel className="group relative flex min-h-40 flex-col" aria-label={title}>
      <div className="flex min-h-7.5 items-baseline gap-2 px-2.5 pt-1.5" title={metric?.description}>
        <h3
          title={metric ? undefined : name}
          className={metric ? 'whitespace-nowrap' : 'min-w-0 truncate font-mono text-mono'}
        >
          {title}
        </h3>
        <span className="min-w-0 truncate text-xs text-ink-3">{metric && UNIT_WORDS[metric.unit]}</span>
        {recorded && <Readout line={line} pinned={frame.pinnedStep} percent={isFraction} />}
        {recorded && <MarkMetricButton name={name} />}
      </div>
      {recorded ? (
        <LineChart
          content={content}
          title={isFraction ? `${title}, %` : title}
          label={[
            describeLine(title, line, isFraction),
            ...alerts.map((alert) => `${alert.title} at step ${alert.step}`),
          ].join('; ')}
          formatY={formatY}
          yRange={[
            metric && ZERO_BASED.has(metric.unit) ? 0 : null,
            isFraction && reachesHalf(line) ? 1 : null,
          ]}
          onPin={(step) => frame.onPin(step, name)}
        />
      ) : (
        <NoPoints of={name} frame={frame} />
      )}
      {frame.menuOf?.(name)}
    </Panel>
  );
}

/** The raw value under the pointer, else at the pinned step, else the newest. */
export function Readout({ line, pinned, percent }: { line: Line; pinned: number | null; percent: boolean }) {
  const hovered = useHoveredStep();
  const at = valueAt(line, hovered ?? pinned ?? Infinity);
  return (
    <span className="ml-auto text-sm whitespace-nowrap tabular-nums">
      {at === null ? MISSING : percent ? `${formatPercent(at.value)}%` : formatNumber(at.value)}
      {at !== null && (hovered ?? pinned) !== null && (
        <span className="text-xs text-ink-3"> at {at.step}</span>
      )}
    </span>
  );
}

function describeLine(title: string, line: Line, percent: boolean): string {
  const newest = valueAt(line, Infinity);
  if (!newest) return `${title} by step: no finite value`;
  const value = percent ? `${formatPercent(newest.value)} %` : formatNumber(newest.value);
  return `${title} by step: ${line.steps.length} points, newest ${value} at step ${newest.step}`;
}

/** Axis labels have room for about five figures. */
function formatAxis(value: number): string {
  const size = Math.abs(value);
  if (value !== 0 && size < 1e-3) return Number(value.toPrecision(2)).toExponential();
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  if (size >= 1e4) return `${Number((value / 1e3).toPrecision(3))}k`;
  return String(Number(value.toPrecision(3)));
}

/** A fraction that fills half the axis is drawn against the whole; a small one would be a flat line there. */
function reachesHalf(line: Line): boolean {
  return line.values.some((value) => value !== null && value > 0.5);
}
