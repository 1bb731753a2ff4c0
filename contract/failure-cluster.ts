import { z } from 'zod';
import { QueryInteger } from './bounds';
import { TRAJECTORY_PHASES, type TrajectoryPhase } from './trajectory';

/**
 * How a lost trajectory first went wrong: by the verdict on its first marked turn or, without such a turn, by how it ended.
 */
export const FAILURE_MODES = [
  'none_available',
  'no_action',
  'not_in_list',
  'refused',
  'loop',
  'no_op',
  'turn_limit',
  'context_limit',
  'error',
  'failure',
  'stopped',
] as const;
export type FailureMode = (typeof FAILURE_MODES)[number];

export const FAILURE_MODE_WORDS: Readonly<Record<FailureMode, string>> = {
  none_available: 'says that no action is available',
  no_action: 'reply without a readable action',
  not_in_list: 'action not in the list',
  refused: 'action refused',
  loop: 'repeats itself',
  no_op: 'action without effect',
  turn_limit: 'no bad turn; out of turns',
  context_limit: 'no bad turn; out of context',
  error: 'no bad turn; ended in an error',
  failure: 'no bad turn; the environment ended it',
  stopped: 'no bad turn; ended by hand',
};

/** Longest stretch of one kind within a trajectory: its first turn and its length in turns. */
const Stretch = z.object({ start: z.int().nonnegative(), length: z.int().nonnegative() });

/** What detectors need of a trajectory's turns. Turns that were given are left out; indices count all turns from 0. */
export const TrajectoryMarks = z.object({
  turns: z.int().nonnegative(),
  /** Turns whose reply broke the format. */
  malformed: z.int().nonnegative(),
  /** Turns whose action was not offered or, where none are offered, was refused; a broken format is neither. */
  ungrounded: z.int().nonnegative(),
  firstUngrounded: z.int().nonnegative().nullable(),
  /** Longest run of actions that say that there is none. */
  noneAvailable: Stretch.nullable(),
  /** Longest loop, and how many turns repeat: 1 = the same action, 2 = back and forth. */
  loop: Stretch.extend({ period: z.int().positive(), repeats: z.int().positive() }).nullable(),
  /** First turn whose answer says that the task is completed, though it is not the last. */
  completedEarly: z.int().nonnegative().nullable(),
  /** Some answer says that the task is completed. */
  completed: z.boolean(),
  failureMode: z.enum(FAILURE_MODES).nullable(),
  firstBadTurn: z.int().nonnegative().nullable(),
});
export type TrajectoryMarks = z.infer<typeof TrajectoryMarks>;

/** `GET /runs/:runId/failure-clusters?step=&phase=`. */
export const FailureClustersQuery = z.object({
  step: QueryInteger.optional(),
  phase: z.enum(TRAJECTORY_PHASES).optional(),
});
export type FailureClustersQuery = z.infer<typeof FailureClustersQuery>;

/** Lost trajectories of one step and phase that first went wrong alike. */
export interface FailureCluster {
  mode: FailureMode;
  /** Null where no turn is marked. */
  firstBadTurn: number | null;
  count: number;
}

/** The failures of a step and phase, newest step first; of a step that an attempt repeated, the newest attempt's. */
export interface StepFailures {
  step: number;
  phase: TrajectoryPhase;
  /** Trajectories whose outcome is stated, and those of them that were lost. */
  n: number;
  failed: number;
  /** Trajectories of which no source says whether they were won: neither won nor lost. */
  unscored: number;
  /** Lost trajectories whose turns are not marked yet. */
  unmarked: number;
  /** The largest first. */
  clusters: FailureCluster[];
}
