import type uPlot from 'uplot';
import type { ChartContent } from './chart-model';
import { spread } from './spread';
import { resolveColor } from './theme-colors';

const LABEL_FONT_PX = 10.5;
const LABEL_GAP_PX = 12;
const BAND_ALPHA = 0.16;
const WHISKER_ALPHA = 0.6;
const LABEL_GROUND_ALPHA = 0.75;

/** Drawn below the lines: what has not been run, and the buckets' bands. */
export function drawBelow(chart: uPlot, content: ChartContent): void {
  const { ctx, bbox } = chart;
  ctx.save();
  if (content.reachedStep < content.lastStep) {
    const left = chart.valToPos(content.reachedStep, 'x', true);
    ctx.fillStyle = resolveColor('surface-2');
    ctx.fillRect(left, bbox.top, bbox.left + bbox.width - left, bbox.height);
  }
  const { band } = content;
  const color = content.lines[0]?.color;
  if (band && color) {
    ctx.beginPath();
    band.steps.forEach((step, index) => {
      ctx.lineTo(chart.valToPos(step, 'x', true), chart.valToPos(band.highs[index] ?? 0, 'y', true));
    });
    for (let index = band.steps.length - 1; index >= 0; index--)
      ctx.lineTo(
        chart.valToPos(band.steps[index] ?? 0, 'x', true),
        chart.valToPos(band.lows[index] ?? 0, 'y', true),
      );
    ctx.globalAlpha = BAND_ALPHA;
    ctx.fillStyle = resolveColor(color);
    ctx.fill();
  }
  ctx.restore();
}

/** Drawn above the lines: whiskers, references, non-finite marks, alerts, resumes, the pinned step. */
export function drawAbove(chart: uPlot, content: ChartContent): void {
  drawWhiskers(chart, content);
  drawReferences(chart, content);
  drawNonFinite(chart, content);
  drawAlerts(chart, content);
  for (const { step, label } of content.resumes ?? []) drawVertical(chart, step, 'warn', label);
  if (content.pinnedStep !== null) drawVertical(chart, content.pinnedStep, 'ink-2', null);
}

function drawWhiskers(chart: uPlot, { whiskers = [] }: ChartContent): void {
  const { ctx } = chart;
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  ctx.globalAlpha = WHISKER_ALPHA;
  for (const { step, low, high, color } of whiskers) {
    const x = Math.round(chart.valToPos(step, 'x', true)) + 0.5;
    ctx.strokeStyle = resolveColor(color);
    ctx.beginPath();
    ctx.moveTo(x, chart.valToPos(low, 'y', true));
    ctx.lineTo(x, chart.valToPos(high, 'y', true));
    ctx.stroke();
  }
  ctx.restore();
}

function drawReferences(chart: uPlot, content: ChartContent): void {
  const { ctx, bbox } = chart;
  const references = content.references ?? [];
  const lines = references.map((reference) => chart.valToPos(reference.value, 'y', true));
  const gap = LABEL_GAP_PX * devicePixelRatio;
  const labels = spread(
    lines.map((y) => y - bbox.top - 5 * devicePixelRatio),
    gap,
    bbox.height,
  );
  ctx.save();
  ctx.font = `${LABEL_FONT_PX * devicePixelRatio}px "IBM Plex Sans", sans-serif`;
  ctx.textAlign = 'right';
  ctx.lineWidth = devicePixelRatio;
  references.forEach((reference, index) => {
    const y = Math.round(lines[index] ?? 0) + 0.5;
    ctx.strokeStyle = resolveColor('c0');
    ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  });
  references.forEach((reference, index) => {
    const right = bbox.left + bbox.width - 4 * devicePixelRatio;
    const baseline = bbox.top + Math.max(gap, labels[index] ?? 0);
    const width = ctx.measureText(reference.label).width;
    // A ground of its own keeps the words readable over lines that cross them.
    ctx.fillStyle = resolveColor(content.reachedStep < content.lastStep ? 'surface-2' : 'surface');
    ctx.globalAlpha = LABEL_GROUND_ALPHA;
    ctx.fillRect(right - width - 3, baseline - 0.8 * gap, width + 6, gap);
    ctx.globalAlpha = 1;
    ctx.fillStyle = resolveColor('ink-2');
    ctx.fillText(reference.label, right, baseline);
  });
  ctx.restore();
}

/** A triangle on the axis for each step with NaN or infinities; the count stands beside it. */
function drawNonFinite(chart: uPlot, { nonFinite = [] }: ChartContent): void {
  const { ctx, bbox } = chart;
  const size = 4 * devicePixelRatio;
  const base = bbox.top + bbox.height;
  ctx.save();
  ctx.fillStyle = resolveColor('bad');
  ctx.font = `${LABEL_FONT_PX * devicePixelRatio}px "IBM Plex Sans", sans-serif`;
  for (const { step, count } of nonFinite) {
    const x = chart.valToPos(step, 'x', true);
    ctx.beginPath();
    ctx.moveTo(x, base - 2 * size);
    ctx.lineTo(x + size, base);
    ctx.lineTo(x - size, base);
    ctx.fill();
    if (count > 1) ctx.fillText(String(count), x + size, base - size);
  }
  ctx.restore();
}

/** A flag at the top of the plot for each step at which a detector fired. */
function drawAlerts(chart: uPlot, { alerts = [] }: ChartContent): void {
  const { ctx, bbox } = chart;
  const size = 4 * devicePixelRatio;
  for (const { step, severity } of alerts) {
    const color = severity === 'warning' ? 'bad' : 'warn';
    drawVertical(chart, step, color, null);
    const x = chart.valToPos(step, 'x', true);
    ctx.save();
    ctx.fillStyle = resolveColor(color);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x + 2 * size, bbox.top + size);
    ctx.lineTo(x, bbox.top + 2 * size);
    ctx.fill();
    ctx.restore();
  }
}

function drawVertical(chart: uPlot, step: number, color: string, label: string | null): void {
  const { ctx, bbox } = chart;
  const x = Math.round(chart.valToPos(step, 'x', true)) + 0.5;
  ctx.save();
  ctx.strokeStyle = resolveColor(color);
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([2 * devicePixelRatio, 2 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  if (label) {
    ctx.fillStyle = resolveColor(color);
    ctx.font = `${LABEL_FONT_PX * devicePixelRatio}px "IBM Plex Sans", sans-serif`;
    const atRight = x > bbox.left + bbox.width * 0.6;
    ctx.textAlign = atRight ? 'right' : 'left';
    ctx.fillText(
      label,
      x + (atRight ? -4 : 4) * devicePixelRatio,
      bbox.top + bbox.height - 6 * devicePixelRatio,
    );
  }
  ctx.restore();
}
