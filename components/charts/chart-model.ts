import type { Line } from './curve';
import type { ColorToken } from './theme-colors';

/** A line and how it is drawn. Lines of equal `id` in a later render are the same line with other data. */
export interface ChartLine extends Line {
  id: string;
  color: ColorToken;
  width: number;
  /** 0..1, default 1. */
  alpha?: number;
  dash?: number[];
  /** A dot at each point, as evaluations have. */
  dots?: boolean;
}

/** Whether there is anything of the line to draw. */
export function hasValue({ values }: ChartLine): boolean {
  return values.some((value) => value !== null);
}

/** An interval around a point, in the units of the y axis. */
export interface Whisker {
  step: number;
  low: number;
  high: number;
  color: ColorToken;
}

/** A horizontal line that holds at every step, with its words. */
export interface Reference {
  value: number;
  label: string;
}

export interface ChartAlert {
  step: number;
  severity: 'notice' | 'warning';
  /** The detector's name. */
  title: string;
}

/** Everything a chart shows. Steps on x, one unit on y. */
export interface ChartContent {
  lines: readonly ChartLine[];
  /** Lowest and highest of each bucket, behind the lines. */
  band?: { steps: number[]; lows: number[]; highs: number[] } | null;
  whiskers?: readonly Whisker[];
  references?: readonly Reference[];
  nonFinite?: readonly { step: number; count: number }[];
  /** Steps at which a detector found something in what is drawn. */
  alerts?: readonly ChartAlert[];
  /** Steps at which a newer attempt took over. */
  resumes?: readonly { step: number; label: string }[];
  /** Steps beyond this one have not been run. */
  reachedStep: number;
  lastStep: number;
  pinnedStep: number | null;
}

/** Space around the plot, in CSS pixels; popovers are placed by it as well. */
export const PLOT = { left: 44, right: 12, top: 8, bottom: 22 } as const;

/** CSS position of a step across a chart's box. */
export function stepLeft(step: number, lastStep: number): string {
  const fraction = Math.min(1, Math.max(0, step / Math.max(1, lastStep)));
  return `calc(${PLOT.left}px + (100% - ${PLOT.left + PLOT.right}px) * ${fraction})`;
}
