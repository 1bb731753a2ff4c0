import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { isFinalStatus, RunStatus } from '@/contract/run';
import { Trajectory } from '@/contract/trajectory';
import { passesFilter, type TrajectoryFilter } from '@/contract/trajectory-filter';
import { getAnswer } from '../connection/rest-answer';

const PAGE = 200;

const Page = z.object({
  trajectories: z.array(
    Trajectory.pick({ success: true, taskType: true, reward: true, stopReason: true }).extend({
      id: z.string(),
    }),
  ),
  /** Asks for the page after it; null on the last one. */
  next: z.string().nullable(),
});
const Run = z.object({ run: z.object({ name: z.string(), status: RunStatus }) });
const Detail = z.object({ trajectory: Trajectory });

/**
 * Trajectories that the server has of the filter's runs and that pass it, run by run, the newest first; one at a time. Waits
 * while the server is away. Throws `invalid_input` where the filter names no run, `conflict` where one has not ended, and
 * what the server refuses.
 */
export async function* trajectoriesOfServer(
  serverUrl: string,
  filter: TrajectoryFilter,
  signal: AbortSignal,
): AsyncGenerator<Trajectory> {
  const { runs, outcome, taskType, limit } = filter;
  if (runs.length === 0)
    throw new AppError(
      'invalid_input',
      'demonstrations.trajectories.runs names no run; expected the id of one',
    );
  const chosen = {
    limit: String(PAGE),
    ...(taskType !== null && { taskType }),
    ...(outcome !== 'any' && { success: String(outcome === 'won') }),
  };
  for (const { id } of runs) await requireEnded(serverUrl, id, signal);
  let found = 0;
  for (const { id } of runs) {
    let after: string | null = null;
    do {
      const search = new URLSearchParams({ ...chosen, ...(after !== null && { after }) });
      const path = `/runs/${encodeURIComponent(id)}/trajectories?${search.toString()}`;
      const page: z.infer<typeof Page> = await getAnswer(serverUrl, path, Page, signal);
      for (const summary of page.trajectories.filter((each) => passesFilter(each, filter))) {
        if (found === limit) return;
        yield await trajectoryOfServer(serverUrl, summary.id, signal);
        found++;
      }
      after = page.next;
    } while (after !== null);
  }
}

/** A trajectory of the server by its id. Waits while the server is away; throws `not_found` where it has none. */
export async function trajectoryOfServer(
  serverUrl: string,
  id: string,
  signal: AbortSignal,
): Promise<Trajectory> {
  return (await getAnswer(serverUrl, `/trajectories/${encodeURIComponent(id)}`, Detail, signal)).trajectory;
}

/** Throws `conflict` where a run may still write: what is read of it would depend on when that is. */
async function requireEnded(serverUrl: string, id: string, signal: AbortSignal): Promise<void> {
  const { run } = await getAnswer(serverUrl, `/runs/${encodeURIComponent(id)}`, Run, signal);
  if (!isFinalStatus(run.status))
    throw new AppError(
      'conflict',
      `demonstrations.trajectories.runs names ${id} "${run.name}", which is ${run.status}; expected runs that have finished, failed or stopped`,
    );
}
