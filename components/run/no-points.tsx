import { NotRecorded } from '@/components/ui/state-panel';
import type { ChartFrame } from './chart-frame';

/** In place of a chart without points: whether some will come depends on the run, not on the series. */
export function NoPoints({
  of,
  frame,
}: {
  of: string;
  frame: Pick<ChartFrame, 'reachedStep' | 'isOver' | 'isReading'>;
}) {
  if (frame.isReading) return <p className="p-2.5 text-sm text-ink-3">Reading the points.</p>;
  if (frame.reachedStep === 0)
    return (
      <p className="p-2.5 text-sm text-ink-3">
        {frame.isOver
          ? 'No points: the run ended before its first step was done.'
          : 'No points yet. The first comes with step 1.'}
      </p>
    );
  const name = <code className="font-mono text-mono">{of}</code>;
  return (
    <NotRecorded>
      {frame.isOver ? <>The run has no {name}.</> : <>{name} appears here as soon as one point arrives.</>}
    </NotRecorded>
  );
}
