import { checkpointName } from '@/contract/compare';
import type { ProbeShift } from '@/contract/pair';
import { FEWEST_COMPARED } from '@/stats/comparison-verdict';
import { Link } from '@/components/ui/link';
import { Note } from '@/components/ui/panel';
import { pairedTasks, type ShiftOf } from './behaviour-shift';
import { comparisonHref } from './compare-state';

/** What the probe cannot say: of too few tasks, of one step alone, of steps that it was not played at. */
export function ProbeNotes({
  shift: { runId, steps, a, b, tasks },
  of,
  lastStep,
}: {
  shift: ProbeShift;
  of: ShiftOf;
  /** The newest checkpoint's; null where it is not known. */
  lastStep: number | null;
}) {
  const lastProbed = steps.at(-1) ?? 0;
  const paired = pairedTasks(tasks, of).length;
  const names = [a, b].map((step) => checkpointName({ runId, step }));
  return (
    <div className="mb-2.5 flex flex-col gap-1 empty:hidden">
      {a === b && (
        <Note tone="warn">
          Both sides are step {a}
          {steps.length === 1 ? ', the only step that was probed' : ''}: nothing can have changed.
        </Note>
      )}
      {lastStep !== null && lastStep > lastProbed && (
        <Note tone="warn">
          The newest checkpoint, step {lastStep}, was not probed; the last step that was is {lastProbed}.
        </Note>
      )}
      {a !== b && paired < FEWEST_COMPARED && (
        <Note tone="info">
          {paired} tasks of the probe show how behaviour changed, not whether success did.{' '}
          <Link href={comparisonHref(names)} className="text-link">
            Compare both steps
          </Link>{' '}
          on the tasks of their evaluations.
        </Note>
      )}
    </div>
  );
}
