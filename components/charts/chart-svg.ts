import { hasValue, type ChartContent, type ChartLine } from './chart-model';
import type { ColorToken } from './theme-colors';

/** A chart as a picture of its own: with title, axes and legend, which on screen stand around it. */
export interface ChartPicture {
  title: string;
  /** What the figures are of, beneath the title: the run, the smoothing. */
  caption: string;
  content: ChartContent;
  /** Bounds of both axes, as on screen. */
  x: readonly [number, number];
  y: readonly [number, number];
  formatY: (value: number) => string;
  color: (token: ColorToken) => string;
}

export const PICTURE = { width: 960, height: 540 } as const;
const PLOT = { left: 64, right: 24, top: 84, bottom: 48 } as const;
const TICKS = 6;
const LEGEND_LINE = 18;
const LETTER_WIDTH = 7;
const DOT = 2.5;

/** The chart as SVG text, drawn from its data: every point that is on screen is a vertex. */
export function chartSvg(picture: ChartPicture): string {
  const { title, caption, content, color } = picture;
  const scale = scaleOf(picture);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PICTURE.width}" height="${PICTURE.height}" viewBox="0 0 ${PICTURE.width} ${PICTURE.height}" font-family="IBM Plex Sans, sans-serif" font-size="12">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="100%" height="100%" fill="${color('surface')}"/>`,
    text(PLOT.left, 28, title, color('ink'), 'font-size="16" font-weight="600"'),
    text(PLOT.left, 48, caption, color('ink-2')),
    legend(content.lines.filter(hasValue), color),
    axes(picture, scale),
    `<clipPath id="plot"><rect x="${PLOT.left - DOT}" y="${PLOT.top - DOT}" width="${scale.width + 2 * DOT}" height="${scale.height + 2 * DOT}"/></clipPath>`,
    '<g clip-path="url(#plot)">',
    band(content, scale, color),
    ...content.lines.map((line) => drawLine(line, scale, color)),
    ...(content.whiskers ?? []).map(
      ({ step, low, high, color: token }) =>
        `<path d="M${scale.x(step)} ${scale.y(low)}V${scale.y(high)}" stroke="${color(token)}" stroke-opacity="0.6"/>`,
    ),
    ...(content.references ?? []).map(({ value }) =>
      dashed(`M${PLOT.left} ${scale.y(value)}H${scale.right}`, color('c0')),
    ),
    ...(content.resumes ?? []).map(({ step }) =>
      dashed(`M${scale.x(step)} ${PLOT.top}V${scale.bottom}`, color('warn')),
    ),
    '</g>',
    ...(content.references ?? []).map(({ value, label }) =>
      text(scale.right, scale.y(value) - 4, label, color('ink-2'), 'text-anchor="end" font-size="11"'),
    ),
    ...(content.nonFinite ?? []).map(({ step, count }) => nonFinite(step, count, scale, color('bad'))),
    '</svg>',
  ]
    .filter(Boolean)
    .join('\n');
}

interface Scale {
  x: (step: number) => number;
  y: (value: number) => number;
  width: number;
  height: number;
  right: number;
  bottom: number;
}

function scaleOf({ x: [fromStep, toStep], y: [low, high] }: ChartPicture): Scale {
  const width = PICTURE.width - PLOT.left - PLOT.right;
  const height = PICTURE.height - PLOT.top - PLOT.bottom;
  const round = (value: number) => Math.round(value * 100) / 100;
  return {
    x: (step) => round(PLOT.left + ((step - fromStep) / (toStep - fromStep || 1)) * width),
    y: (value) => round(PLOT.top + (1 - (value - low) / (high - low || 1)) * height),
    width,
    height,
    right: PLOT.left + width,
    bottom: PLOT.top + height,
  };
}

function axes({ x, y, formatY, color }: ChartPicture, scale: Scale): string {
  const rows = ticksWithin(y).map((value) =>
    [
      `<path d="M${PLOT.left} ${scale.y(value)}H${scale.right}" stroke="${color('line')}"/>`,
      text(PLOT.left - 8, scale.y(value) + 4, formatY(value), color('ink-2'), 'text-anchor="end"'),
    ].join(''),
  );
  const columns = ticksWithin(x)
    .filter(Number.isInteger)
    .map((step) =>
      text(scale.x(step), scale.bottom + 18, String(step), color('ink-2'), 'text-anchor="middle"'),
    );
  const name = text(scale.right, scale.bottom + 36, 'step', color('ink-2'), 'text-anchor="end"');
  return [...rows, ...columns, name].join('\n');
}

/** Round numbers within bounds, about six of them. */
export function ticksWithin([low, high]: readonly [number, number]): number[] {
  const rough = (high - low) / TICKS;
  if (!(rough > 0) || !Number.isFinite(rough)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const every = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(low / every);
  const last = Math.floor(high / every);
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * every).toPrecision(12)),
  );
}

function drawLine(line: ChartLine, scale: Scale, color: ChartPicture['color']): string {
  let path = '';
  let isDrawing = false;
  line.steps.forEach((step, index) => {
    const value = line.values[index];
    if (value === null || value === undefined) {
      isDrawing = false;
      return;
    }
    path += `${isDrawing ? 'L' : 'M'}${scale.x(step)} ${scale.y(value)}`;
    isDrawing = true;
  });
  if (path === '') return '';
  const look = `stroke="${color(line.color)}" stroke-opacity="${line.alpha ?? 1}" stroke-width="${line.width}"`;
  const dash = line.dash ? ` stroke-dasharray="${line.dash.join(' ')}"` : '';
  return `<path d="${path}" fill="none" ${look}${dash}/>${dots(line, scale, color)}`;
}

function dots(line: ChartLine, scale: Scale, color: ChartPicture['color']): string {
  const points = line.steps.flatMap((step, index) => {
    const value = line.values[index];
    return value === null || value === undefined ? [] : [{ step, value }];
  });
  // A line through a single point would draw nothing.
  if (!line.dots && points.length > 1) return '';
  return points
    .map(
      ({ step, value }) =>
        `<circle cx="${scale.x(step)}" cy="${scale.y(value)}" r="${DOT}" fill="${color(line.color)}"/>`,
    )
    .join('');
}

function band({ band: area, lines }: ChartContent, scale: Scale, color: ChartPicture['color']): string {
  const token = lines[0]?.color;
  if (!area || token === undefined) return '';
  const upper = area.steps.map((step, index) => `${scale.x(step)} ${scale.y(area.highs[index] ?? 0)}`);
  const lower = area.steps.map((step, index) => `${scale.x(step)} ${scale.y(area.lows[index] ?? 0)}`);
  return `<path d="M${[...upper, ...lower.toReversed()].join('L')}Z" fill="${color(token)}" fill-opacity="0.16"/>`;
}

function legend(lines: readonly ChartLine[], color: ChartPicture['color']): string {
  let left: number = PLOT.left;
  return lines
    .map((line) => {
      const at = left;
      left += LEGEND_LINE + 8 + line.id.length * LETTER_WIDTH + 16;
      const dash = line.dash ? ` stroke-dasharray="${line.dash.join(' ')}"` : '';
      return `<path d="M${at} 66h${LEGEND_LINE}" stroke="${color(line.color)}" stroke-opacity="${line.alpha ?? 1}" stroke-width="2"${dash}/>${text(at + LEGEND_LINE + 6, 70, line.id, color('ink-2'))}`;
    })
    .join('');
}

function nonFinite(step: number, count: number, scale: Scale, fill: string): string {
  const x = scale.x(step);
  return `<path d="M${x} ${scale.bottom - 8}l4 8h-8Z" fill="${fill}"><title>${count} not finite at step ${step}</title></path>`;
}

function dashed(path: string, stroke: string): string {
  return `<path d="${path}" stroke="${stroke}" stroke-dasharray="4 3"/>`;
}

function text(x: number, y: number, words: string, fill: string, look = ''): string {
  return `<text x="${x}" y="${y}" fill="${fill}"${look ? ` ${look}` : ''}>${escapeXml(words)}</text>`;
}

const XML_SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as XML holds it; control characters, which it cannot hold, are left out. */
export function escapeXml(words: string): string {
  return Array.from(words, (sign) => (sign < ' ' ? '' : (XML_SIGNS[sign] ?? sign))).join('');
}
