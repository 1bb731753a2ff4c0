import { z } from 'zod';
import { AppError } from '@/contract/errors';
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
});
const Detail = z.object({ trajectory: Trajectory });

/**
 * Trajectories that the server has of the filter's runs and that pass it, run by run, the newest first; one at a time. Waits
 * while the server is away. Throws `invalid_input` where the filter names no run, and what the server refuses.
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
  const chosen = new URLSearchParams({
    limit: String(PAGE),
    ...(taskType !== null && { taskType }),
    ...(outcome !== 'any' && { success: String(outcome === 'won') }),
  });
  let found = 0;
  for (const { id } of runs) {
    for (let offset = 0; ; offset += PAGE) {
      const path = `/runs/${encodeURIComponent(id)}/trajectories?${chosen.toString()}&offset=${offset}`;
      const { trajectories } = await getAnswer(serverUrl, path, Page, signal);
      for (const summary of trajectories.filter((each) => passesFilter(each, filter))) {
        if (found === limit) return;
        yield (await getAnswer(serverUrl, `/trajectories/${summary.id}`, Detail, signal)).trajectory;
        found++;
      }
      if (trajectories.length < PAGE) break;
    }
  }
}
