'use client';
import { useMemo } from 'react';
import type { SeriesCurve } from '@/contract/api';
import { formatSeconds } from '@/contract/format';
import { LineChart } from '@/components/charts/line-chart';
import type { ChartContent } from '@/components/charts/chart-model';
import { toLine, valueAt, type Line } from '@/components/charts/curve';
import { Panel } from '@/components/ui/panel';
import type { ChartFrame } from './chart-frame';
import { Readout } from './metric-chart';
import { NoPoints } from './no-points';

/** Seconds of each step, whole and of its training; the space between the lines is the rollout. */
export function TimeChart({
  curves,
  frame,
}: {
  curves: ReadonlyMap<string, SeriesCurve>;
  frame: ChartFrame;
}) {
  const rollout = curves.get('time/rollout');
  const train = curves.get('time/train');
  const lines = useMemo(() => {
    const training = toLine(train?.buckets ?? []);
    return { training, whole: sum(toLine(rollout?.buckets ?? []), training) };
  }, [rollout, train]);
  const content = useMemo<ChartContent>(
    () => ({
      lines: [
        { ...lines.whole, id: 'whole', color: 'ink-2', width: 1.6 },
        { ...lines.training, id: 'training', color: 'c7', width: 1.2 },
      ],
      reachedStep: frame.reachedStep,
      lastStep: frame.lastStep,
      pinnedStep: frame.pinnedStep,
    }),
    [lines, frame],
  );
  const newest = valueAt(lines.whole, Infinity);
  return (
    <Panel className="flex min-h-40 flex-col" aria-label="Time per step">
      <div
        className="flex min-h-7.5 items-baseline gap-2 px-2.5 pt-1.5"
        title="time/rollout + time/train; evaluation is not part of it"
      >
        <h3 className="whitespace-nowrap">Time per step</h3>
        <span className="min-w-0 truncate text-xs text-ink-3">s, rollout + training; coloured: training</span>
        {newest && <Readout line={lines.whole} pinned={frame.pinnedStep} percent={false} />}
      </div>
      {newest ? (
        <LineChart
          content={content}
          title="Time per step, s"
          label={`Time per step: newest ${formatSeconds(newest.value)} at step ${newest.step}`}
          formatY={(value) => String(Number(value.toPrecision(3)))}
          yRange={[0, null]}
          onPin={(step) => frame.onPin(step, 'time')}
        />
      ) : (
        <NoPoints of="time/rollout" frame={frame} />
      )}
    </Panel>
  );
}

/** Sum at the steps that both lines have. */
function sum(a: Line, b: Line): Line {
  const other = new Map(b.steps.map((step, index) => [step, b.values[index]]));
  return {
    steps: a.steps,
    values: a.values.map((value, index) => {
      const added = other.get(a.steps[index] ?? -1);
      return value === null || added === null || added === undefined ? null : value + added;
    }),
  };
}
