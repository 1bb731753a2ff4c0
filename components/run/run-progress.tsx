import type { RunDetail } from '@/contract/api';
import { formatSeconds, MISSING } from '@/contract/format';
import { isFinalStatus } from '@/contract/run';
import { activityWords, secondsLeft, type RunView } from '@/contract/run-view';
import { classNames } from '@/components/ui/class-names';
import { TONE_FILL } from '@/components/ui/tone';
import { runSeconds } from './run-duration';
import { STATUS_LOOKS } from './run-status';
import { runConfigOf } from './run-config-of';

/** More would stand closer than a few pixels and mark nothing. */
const MOST_TICKS = 150;

/** Steps at which checkpoints are evaluated: the first, every n-th, the last; none where there are too many to be told apart. */
export function evaluationTicks(steps: number, everySteps: number): number[] {
  if (everySteps === 0 || steps / everySteps > MOST_TICKS) return [];
  const regular = Array.from(
    { length: Math.floor(steps / everySteps) + 1 },
    (_, index) => index * everySteps,
  );
  return regular.at(-1) === steps ? regular : [...regular, steps];
}

/** Steps done of all, with a tick for each evaluation and the time that is left at the pace of late. */
export function RunProgress({ detail }: { detail: RunDetail }) {
  const { view, run } = detail;
  const steps = view.steps ?? run.steps;
  const fraction = steps ? Math.min(1, view.step / steps) : 0;
  const everySteps = runConfigOf(detail)?.evaluation.everySteps ?? 0;
  return (
    <div className="grid grid-cols-[auto_1fr_auto] items-center gap-2.5 px-2.5 py-2">
      <div className="text-ink-3">
        <b className="text-lg font-semibold text-ink">{view.step}</b> / {steps ?? MISSING} steps
      </div>
      <div
        role="progressbar"
        aria-label="Steps done"
        aria-valuemin={0}
        aria-valuemax={steps ?? undefined}
        aria-valuenow={view.step}
        className="relative h-4.5"
      >
        <div className="absolute inset-x-0 top-1.5 h-1.5 overflow-hidden rounded-sm bg-line">
          <div
            className={classNames('h-full', TONE_FILL[STATUS_LOOKS[view.status].tone])}
            style={{ width: `${fraction * 100}%` }}
          />
        </div>
        {steps !== null &&
          evaluationTicks(steps, everySteps).map((tick) => (
            <i
              key={tick}
              title={`evaluation at step ${tick}`}
              className={classNames(
                'absolute top-0.75 h-3 w-px',
                tick <= view.step ? 'bg-ink-2' : 'bg-line-2',
              )}
              style={{ left: `${(tick / steps) * 100}%` }}
            />
          ))}
      </div>
      <div className="min-w-52 text-right text-sm text-ink-3">
        <TimeLeft view={view} />
      </div>
    </div>
  );
}

function TimeLeft({ view }: { view: RunView }) {
  if (isFinalStatus(view.status)) {
    const seconds = runSeconds(view.startedAt, view.finishedAt);
    return seconds === null ? view.status : `${view.status} after ${formatSeconds(seconds)}`;
  }
  if (view.status !== 'running') return STATUS_LOOKS[view.status].meaning;
  const activity = view.activity && activityWords(view.activity);
  const left = secondsLeft(view);
  if (left === null) return activity ?? STATUS_LOOKS[view.status].meaning;
  return (
    <>
      <b className="font-semibold text-ink">about {formatSeconds(left)} left</b>
      {activity && ` · ${activity}`}
    </>
  );
}
