/** What a run says of trajectories that ended in an error, and when it has had enough of them. */
import { AppError } from '@/contract/errors';
import { clipMessage, type RecipeEvent } from '@/contract/run-events';
import type { Trajectory } from '@/contract/trajectory';
import { logEvent } from './recipe';

/** A server that restarts is back within some steps; one that is gone would let a run end without having learnt. */
const MOST_FAILED_STEPS = 3;

type Ended = Pick<Trajectory, 'stopReason' | 'error'>;

/** One warning for trajectories that ended in an error; none where all were played. */
export function* warnOfFailures(what: string, trajectories: readonly Ended[]): Generator<RecipeEvent> {
  const failures = failuresOf(trajectories);
  if (failures.length > 0) yield logEvent('warn', failureText(what, failures, trajectories.length));
}

/** Counts the steps in a row of which no episode was played. */
export class FailureWatch {
  private failedSteps = 0;

  /** Says what failed in a step. Throws `unavailable` once no episode was played in three steps in a row. */
  *observe(step: number, trajectories: readonly Ended[]): Generator<RecipeEvent> {
    const failures = failuresOf(trajectories);
    const isLost = failures.length > 0 && failures.length === trajectories.length;
    if (!isLost) {
      this.failedSteps = 0;
      yield* warnOfFailures(`step ${step}`, trajectories);
      return;
    }
    this.failedSteps++;
    yield logEvent('error', failureText(`step ${step}`, failures, trajectories.length));
    if (this.failedSteps < MOST_FAILED_STEPS) return;
    const last = errorText(failures[failures.length - 1]);
    throw new AppError(
      'unavailable',
      clipMessage(
        `every episode of ${this.failedSteps} steps in a row ended in an error, the last in ${last}; expected an environment that plays`,
      ),
    );
  }
}

function failuresOf(trajectories: readonly Ended[]): Ended[] {
  return trajectories.filter(({ stopReason }) => stopReason === 'error');
}

function failureText(what: string, failures: readonly Ended[], of: number): string {
  const count = `${failures.length} of ${of} episodes of ${what} ended in an error`;
  return clipMessage(`${count}, the first in ${errorText(failures[0])}`);
}

function errorText(failure: Ended | undefined): string {
  const { stage = 'an unknown stage', message = 'no message' } = failure?.error ?? {};
  return `${stage}: ${message}`;
}
