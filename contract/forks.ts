import { z } from 'zod';
import { TrajectoryId, type RequestedRun } from './action-scores';
import { QueryInteger } from './bounds';
import { CheckpointReferences } from './checkpoint';
import { MAX_FORK_SAMPLES } from './recipes/requested-work';
import type { TrajectorySummary } from './run-events';

/** Body of `POST /forks`: a recorded trajectory is continued from a turn, so many times by each checkpoint. */
export const ForkRequest = z.strictObject({
  trajectory: TrajectoryId,
  /** First turn that is played anew, from 0. */
  turn: z.int().min(0).max(100_000),
  /** Each once: one run continues for each. */
  checkpoints: CheckpointReferences.max(2),
  samples: z.int().min(1).max(MAX_FORK_SAMPLES).default(8),
  /** Absent = as the run that recorded the trajectory evaluated itself. */
  temperature: z.number().min(0.01).max(5).optional(),
});
export type ForkRequest = z.infer<typeof ForkRequest>;

/** `GET /forks?trajectory=ID&turn=T`; without a turn, of all turns. */
export const ForksQuery = z.object({ trajectory: TrajectoryId, turn: QueryInteger.optional() });
export type ForksQuery = z.infer<typeof ForksQuery>;

/** Continuations of a recorded trajectory by one checkpoint: one run. */
export interface Fork extends RequestedRun {
  trajectoryId: string;
  turn: number;
  /** How many were asked for; those that are stored follow. */
  samples: number;
  temperature: number;
  /** The newest attempt's, by sample. Those that ended in an error are among them, and won nothing. */
  trajectories: TrajectorySummary[];
}
