'use client';
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { ChartMenu } from './chart-menu';
import { chartSvg } from './chart-svg';
import { alignLines, isSinglePoint } from './curve';
import { drawAbove, drawBelow } from './chart-layers';
import { PLOT, type ChartContent } from './chart-model';
import { useCrosshair, type Crosshair } from './crosshair';
import { StaticLines } from './static-lines';
import { onThemeChange, resolveColor } from './theme-colors';

/** Charts with the same key move one crosshair. */
const SYNC_KEY = 'steps';

interface LineChartProps {
  content: ChartContent;
  /** Of the chart where it leaves the page. */
  title: string;
  /** What a reader of the page without eyes on it hears. */
  label: string;
  formatY: (value: number) => string;
  /** Bounds of the y axis; where a bound is null the data decide. */
  yRange: readonly [number | null, number | null];
  onPin: (step: number) => void;
}

/**
 * Lines over steps, drawn by uPlot to fill its box. New data of the same lines is set into the same canvas, so
 * a live chart neither flickers nor moves; only another set of lines makes another chart.
 */
export function LineChart(props: LineChartProps) {
  const { content, label, title, formatY } = props;
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const latest = useRef(props);
  const [isDrawn, setIsDrawn] = useState(false);
  const crosshair = useCrosshair();
  const shape = content.lines
    .map(({ id, color, dash, dots, width, alpha }) => JSON.stringify([id, color, dash, dots, width, alpha]))
    .join();
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    const box = host.current;
    if (!box) return;
    const made = makeChart(box, () => latest.current, crosshair);
    chart.current = made;
    setIsDrawn(true);
    const resizing = new ResizeObserver(() =>
      made.setSize({ width: box.clientWidth, height: box.clientHeight }),
    );
    resizing.observe(box);
    const stopTheme = onThemeChange(() => made.redraw());
    return () => {
      resizing.disconnect();
      stopTheme();
      made.destroy();
      chart.current = null;
    };
  }, [shape, crosshair]);
  useEffect(() => {
    chart.current?.setData(toData(content));
  }, [content]);
  const svg = () => {
    const x = boundsOf(chart.current?.scales.x);
    const y = boundsOf(chart.current?.scales.y);
    if (!x || !y) return null;
    return chartSvg({
      title,
      caption: label,
      content,
      x,
      y,
      formatY,
      color: resolveColor,
    });
  };
  return (
    <div className="group relative min-h-32 flex-1">
      <div ref={host} role="img" aria-label={label} className="absolute inset-0 overflow-hidden">
        {isDrawn ? null : <StaticLines content={content} y={yBounds(props, ...extentOf(content))} />}
      </div>
      <div className="absolute top-1 right-3 z-10 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100">
        <ChartMenu title={title} svg={svg} />
      </div>
    </div>
  );
}

function boundsOf(scale: uPlot.Scale | undefined): [number, number] | null {
  return typeof scale?.min === 'number' && typeof scale.max === 'number' ? [scale.min, scale.max] : null;
}

function toData(content: ChartContent): uPlot.AlignedData {
  // uPlot's type has no name for a column that mixes numbers, gaps and absent points; its arrays do.
  return alignLines(content.lines) as uPlot.AlignedData;
}

function makeChart(box: HTMLElement, props: () => LineChartProps, crosshair: Crosshair): uPlot {
  const axis = {
    stroke: () => resolveColor('ink-3'),
    font: '10.5px "IBM Plex Sans", sans-serif',
    ticks: { show: false },
  };
  const grid = { stroke: () => resolveColor('line'), width: 1 };
  const options: uPlot.Options = {
    width: Math.max(1, box.clientWidth),
    height: Math.max(1, box.clientHeight),
    padding: [PLOT.top, PLOT.right, 0, 0],
    legend: { show: false },
    scales: {
      x: { time: false, range: () => [0, Math.max(1, props().content.lastStep)] },
      y: { range: (_chart, low, high) => yBounds(props(), low, high) },
    },
    axes: [
      { ...axis, size: PLOT.bottom, grid: { show: false }, gap: 3, incrs: WHOLE_STEPS },
      {
        ...axis,
        size: PLOT.left,
        grid,
        gap: 4,
        space: 28,
        values: (_chart, values) => values.map((value) => props().formatY(value)),
      },
    ],
    series: [
      {},
      ...props().content.lines.map((line) => ({
        stroke: () => resolveColor(line.color),
        width: line.width,
        alpha: line.alpha ?? 1,
        ...(line.dash ? { dash: line.dash } : {}),
        spanGaps: false,
        points: {
          show: line.dots ?? ((chart: uPlot, series: number) => isSinglePoint(chart.data[series] ?? [])),
          size: 5,
          fill: () => resolveColor(line.color),
          stroke: () => resolveColor(line.color),
        },
      })),
    ],
    cursor: {
      drag: { x: false, y: false },
      points: { show: false },
      sync: { key: SYNC_KEY, scales: ['x', null] },
    },
    hooks: {
      drawClear: [(chart) => drawBelow(chart, props().content)],
      draw: [(chart) => drawAbove(chart, props().content)],
      setCursor: [(chart) => crosshair.set(stepUnderCursor(chart))],
    },
  };
  const chart = new uPlot(options, toData(props().content), box);
  chart.over.addEventListener('click', () => {
    const step = stepUnderCursor(chart);
    if (step !== null) props().onPin(step);
  });
  return chart;
}

/** Distances between labels of the step axis, all whole. */
const WHOLE_STEPS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000];

function stepUnderCursor(chart: uPlot): number | null {
  const { idx } = chart.cursor;
  return idx === null || idx === undefined ? null : (chart.data[0][idx] ?? null);
}

/** Least and greatest value of the lines; null where they have none. */
function extentOf({ lines }: ChartContent): [number | null, number | null] {
  let low: number | null = null;
  let high: number | null = null;
  for (const value of lines.flatMap((line) => line.values)) {
    if (value === null) continue;
    low = Math.min(low ?? value, value);
    high = Math.max(high ?? value, value);
  }
  return [low, high];
}

function yBounds(
  { yRange, content }: LineChartProps,
  low: number | null,
  high: number | null,
): [number, number] {
  const values = [
    low,
    high,
    ...(content.band?.lows ?? []),
    ...(content.band?.highs ?? []),
    ...(content.whiskers ?? []).flatMap((whisker) => [whisker.low, whisker.high]),
  ].filter((value) => value !== null);
  const lowest = values.length ? Math.min(...values) : 0;
  const highest = values.length ? Math.max(...values) : 1;
  const padded = uPlot.rangeNum(
    lowest,
    highest === lowest ? lowest + (Math.abs(lowest) || 1) : highest,
    0.1,
    true,
  );
  return [yRange[0] ?? padded[0] ?? 0, yRange[1] ?? padded[1] ?? 1];
}
