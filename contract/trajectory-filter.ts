import { z } from 'zod';
import type { Trajectory } from './trajectory';

/** Which recorded trajectories are imitated. Descriptions are the form's texts. */
export const TrajectoryFilter = z.strictObject({
  runs: z
    .array(z.strictObject({ id: z.string().min(1).max(100) }))
    .max(50)
    .describe('Runs of the workbench; a file given to the train command has none to choose from'),
  outcome: z.enum(['any', 'won', 'lost']).describe('Outcome of the trajectories'),
  taskType: z.string().max(100).nullable().default(null).describe('Type of their tasks; none = all'),
  minReward: z.number().nullable().default(null).describe('Least reward of the environment; none = all'),
  limit: z.int().min(1).max(20_000).describe('Most trajectories; the newest are taken'),
});
export type TrajectoryFilter = z.infer<typeof TrajectoryFilter>;

/** Whether a trajectory is what the filter asks for; one that ended in an error of its environment never is, nor one that does not state what is asked for. */
export function passesFilter(
  trajectory: Pick<Trajectory, 'success' | 'taskType' | 'reward' | 'stopReason'>,
  { outcome, taskType, minReward }: TrajectoryFilter,
): boolean {
  return (
    trajectory.stopReason !== 'error' &&
    (outcome === 'any' || trajectory.success === (outcome === 'won')) &&
    (taskType === null || trajectory.taskType === taskType) &&
    (minReward === null || (trajectory.reward !== null && trajectory.reward >= minReward))
  );
}

/** The filter in words, for logs. */
export function filterWords({ runs, outcome, taskType, minReward, limit }: TrajectoryFilter): string {
  return [
    runs.length === 0 ? 'any run' : `runs ${runs.map(({ id }) => id).join(', ')}`,
    `outcome ${outcome}`,
    `task type ${taskType ?? 'any'}`,
    `reward ${minReward === null ? 'any' : `>= ${minReward}`}`,
    `at most ${limit}`,
  ].join('; ');
}
