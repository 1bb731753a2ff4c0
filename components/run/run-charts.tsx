'use client';
import { useMemo, useRef, useState } from 'react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import type { EvaluationRow, RunDetail, SeriesCurve } from '@/contract/api';
import { formatCount } from '@/contract/format';
import { isFinalStatus } from '@/contract/run';
import { CrosshairProvider } from '@/components/charts/crosshair';
import { useSeries, useSeriesOfPage } from '@/components/data/run-queries';
import { countParam, useUrlState, withChanges, writtenParams } from '@/components/data/url-state';
import { useKeys } from '@/components/ui/key-map';
import { SectionHead } from '@/components/ui/panel';
import { NotRecorded } from '@/components/ui/state-panel';
import { neighbourStep, resumesOf, type ChartFrame } from './chart-frame';
import { evaluatedSteps } from './evaluation-points';
import { MetricChart } from './metric-chart';
import { pointLinks, withPointMenu } from './point-menu';
import { SuccessChart } from './success-chart';
import {
  OPENING_BUCKETS,
  OPENING_SERIES,
  overviewOf,
  seriesOfOverview,
  TRAINING_SUCCESS,
} from './overview-series';
import { TimeChart } from './time-chart';

/** The curves of a run under one crosshair; pinned step and smoothing are in the URL. */
export function RunCharts({
  detail,
  evaluations,
}: {
  detail: RunDetail;
  evaluations: readonly EvaluationRow[];
}) {
  const runId = detail.run.id;
  const opening = useSeriesOfPage(runId, OPENING_SERIES, OPENING_BUCKETS).data;
  const overview = overviewOf(detail);
  const hasSuccess = overview.hasTrainingSuccess || evaluations.length > 0;
  const { data: whole, isPending } = useSeries(runId, seriesOfOverview(overview));
  const drawn = whole ?? opening;
  const curves = useMemo(() => byName(drawn ?? []), [drawn]);
  const slider = useRef<HTMLInputElement>(null);
  const {
    frame: bare,
    menuChart,
    closeMenu,
    setSmoothing,
  } = useChartFrame(
    detail,
    evaluations,
    slider,
    isPending,
    hasSuccess ? 'success' : (overview.names[0] ?? 'success'),
  );
  const frame = withPointMenu(bare, { runId, evaluations, chart: menuChart, onClose: closeMenu });
  return (
    <CrosshairProvider>
      <SectionHead title="Charts" caption="by step; readouts are raw. Click a point for its trajectories.">
        <SmoothingSlider ref={slider} weight={frame.smoothing} onWeight={setSmoothing} />
      </SectionHead>
      <div className="grid grid-cols-1 gap-2.5 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
        {hasSuccess && (
          <SuccessChart evaluations={evaluations} training={curves.get(TRAINING_SUCCESS)} frame={frame}>
            {frame.menuOf?.('success')}
          </SuccessChart>
        )}
        {overview.names.map((name) => (
          <MetricChart key={name} name={name} curve={curves.get(name)} frame={frame} />
        ))}
        {overview.hasTime && <TimeChart curves={curves} frame={frame} />}
      </div>
      {!hasSuccess && seriesOfOverview(overview).length === 0 && (
        <NotRecorded>The import has neither series nor evaluations of its own.</NotRecorded>
      )}
      <MoreSeries runId={runId} left={overview.left} />
    </CrosshairProvider>
  );
}

function SmoothingSlider({
  ref,
  weight,
  onWeight,
}: {
  ref: React.RefObject<HTMLInputElement | null>;
  weight: number;
  onWeight: (weight: number) => void;
}) {
  return (
    <label className="flex items-center gap-2 text-sm text-ink-3">
      Smoothing
      <input
        ref={ref}
        type="range"
        min={0}
        max={0.98}
        step={0.02}
        value={weight}
        onChange={(event) => onWeight(Number(event.target.value))}
        className="w-28 accent-ink"
      />
      <span className="w-16 text-ink">{weight === 0 ? 'off' : `EMA ${weight.toFixed(2)}`}</span>
    </label>
  );
}

/** Says how many series the overview has no room for, and where they are. */
function MoreSeries({ runId, left }: { runId: string; left: number }) {
  const { params } = useUrlState();
  if (left === 0) return null;
  const href = withChanges(`/runs/${encodeURIComponent(runId)}`, params.toString(), { tab: 'charts' });
  return (
    <p className="mt-2 text-sm text-ink-3">
      The run has {formatCount(left)} more series: <Link href={href}>all of them are under Charts</Link>.
    </p>
  );
}

function byName(curves: readonly SeriesCurve[]): Map<string, SeriesCurve> {
  return new Map(curves.map((curve) => [curve.name, curve]));
}

function useChartFrame(
  detail: RunDetail,
  evaluations: readonly EvaluationRow[],
  slider: React.RefObject<HTMLInputElement | null>,
  isReading: boolean,
  /** Where the point menu opens that no click on a chart of one series opened. */
  menuHome: string,
) {
  const { params, set } = useUrlState();
  const router = useRouter();
  const [menuChart, setMenuChart] = useState<string | null>(null);
  const runId = detail.run.id;
  const pinnedStep = countParam(params, 'at');
  const smoothing = readSmoothing(params.get('smooth'));
  const { step: reachedStep, steps, status } = detail.view;
  const isOver = isFinalStatus(status);
  const lastStep = steps ?? detail.run.steps ?? reachedStep;
  const resumes = useMemo(() => resumesOf(detail), [detail]);
  const frame = useMemo<ChartFrame>(
    () => ({
      reachedStep,
      lastStep: Math.max(lastStep, reachedStep),
      isOver,
      isReading,
      smoothing,
      pinnedStep,
      resumes,
      onPin: (step, chart) => {
        set({ at: step });
        setMenuChart(chart === 'time' ? menuHome : chart);
      },
    }),
    [reachedStep, lastStep, isOver, isReading, smoothing, pinnedStep, resumes, menuHome, set],
  );
  const evaluated = evaluatedSteps(evaluations);
  const moveByEvaluation = (direction: 1 | -1) => {
    const next = neighbourStep(evaluated, countParam(writtenParams(), 'at'), direction);
    if (next !== null) frame.onPin(next, menuHome);
  };
  const moveByStep = (by: 1 | -1) =>
    frame.onPin(
      Math.max(0, Math.min(reachedStep, (countParam(writtenParams(), 'at') ?? reachedStep) + by)),
      menuHome,
    );
  const open = (target: 'trajectories' | 'failed' | 'pair') => {
    const step = countParam(writtenParams(), 'at') ?? evaluated.at(-1);
    if (step !== undefined) router.push(pointLinks(runId, step, evaluated)[target]);
  };
  useKeys([
    { keys: ['ArrowLeft'], label: 'evaluation before', run: () => moveByEvaluation(-1) },
    { keys: ['ArrowRight'], label: 'next evaluation', hint: true, run: () => moveByEvaluation(1) },
    { keys: ['Shift+ArrowLeft'], label: 'step before', run: () => moveByStep(-1) },
    { keys: ['Shift+ArrowRight'], label: 'next step', run: () => moveByStep(1) },
    { keys: ['Enter'], label: 'trajectories at step', hint: true, run: () => open('trajectories') },
    { keys: ['f'], label: 'only the failed', hint: true, run: () => open('failed') },
    { keys: ['p'], label: 'pair with step 0', hint: true, run: () => open('pair') },
    { keys: ['s'], label: 'smoothing', hint: true, run: () => slider.current?.focus() },
    {
      keys: ['Escape'],
      label: 'close the menu, then drop the crosshair',
      run: () => (menuChart === null ? set({ at: null }) : setMenuChart(null)),
    },
  ]);
  return {
    frame,
    menuChart,
    closeMenu: () => setMenuChart(null),
    setSmoothing: (weight: number) => set({ smooth: weight === 0 ? null : weight }),
  };
}

function readSmoothing(text: string | null): number {
  const weight = Number(text ?? 0);
  return weight >= 0 && weight < 1 ? weight : 0;
}
