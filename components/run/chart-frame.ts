import type { ReactNode } from 'react';
import type { RunDetail } from '@/contract/api';

/** What all charts of a run share: the step axis, smoothing, the pinned step and what pinning does. */
export interface ChartFrame {
  reachedStep: number;
  lastStep: number;
  /** Nothing more will come. */
  isOver: boolean;
  /** Curves are being read; a chart without one cannot say yet that there is none. */
  isReading: boolean;
  /** Weight of the moving average, 0..0.99; 0 = off. */
  smoothing: number;
  pinnedStep: number | null;
  /** Steps at which a newer attempt took over. */
  resumes: { step: number; label: string }[];
  /** `chart` names where the step was clicked; the point menu opens there. */
  onPin: (step: number, chart: string) => void;
  /** The point menu where it is open on this chart. */
  menuOf?: (chart: string) => ReactNode;
}

/** Where the newest attempt took over from an older one's checkpoint. */
export function resumesOf({ view }: Pick<RunDetail, 'view'>): ChartFrame['resumes'] {
  return view.attempt > 1 && view.resumedFromStep !== null
    ? [{ step: view.resumedFromStep, label: `resumed, attempt ${view.attempt}` }]
    : [];
}

/** The nearest of `steps` in a direction from `from`; without `from` the last or first. Null where there is none. */
export function neighbourStep(
  steps: readonly number[],
  from: number | null,
  direction: 1 | -1,
): number | null {
  if (from === null) return steps.at(direction === 1 ? 0 : -1) ?? null;
  return direction === 1
    ? (steps.find((step) => step > from) ?? null)
    : (steps.findLast((step) => step < from) ?? null);
}
