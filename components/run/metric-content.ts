import type { SeriesCurve } from '@/contract/api';
import type { ChartContent, ChartLine } from '@/components/charts/chart-model';
import { toBand, toNonFinite, toOverwritten, type Line } from '@/components/charts/curve';
import { smooth } from '@/components/charts/smooth';
import type { ChartFrame } from './chart-frame';

const RAW_ALPHA = 0.34;
const OVERWRITTEN_ALPHA = 0.3;

/**
 * What a small chart draws of one metric: the newest attempt's line, smoothed in front where that is asked for, and
 * faint what it has overwritten. Where an attempt took over is marked in the large chart alone: in one of this size
 * the mark would hide the curve.
 */
export function metricContent(curve: SeriesCurve | undefined, line: Line, frame: ChartFrame): ChartContent {
  const raw: ChartLine = {
    ...line,
    id: 'raw',
    color: 'ink-2',
    width: frame.smoothing > 0 ? 1 : 1.6,
    alpha: frame.smoothing > 0 ? RAW_ALPHA : 1,
  };
  const smoothed: ChartLine = {
    id: 'smoothed',
    steps: line.steps,
    values: smooth(line.values, frame.smoothing),
    color: 'ink-2',
    width: 1.6,
  };
  const overwritten = (curve ? toOverwritten(curve) : []).map(({ attempt, line: old }) => ({
    ...old,
    id: `attempt ${attempt}`,
    color: 'ink-3',
    width: 1,
    alpha: OVERWRITTEN_ALPHA,
  }));
  return {
    lines: [raw, ...(frame.smoothing > 0 ? [smoothed] : []), ...overwritten],
    band: toBand(curve?.buckets ?? []),
    nonFinite: toNonFinite(curve?.buckets ?? []),
    reachedStep: frame.reachedStep,
    lastStep: frame.lastStep,
    pinnedStep: frame.pinnedStep,
  };
}
