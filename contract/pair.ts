import { z } from 'zod';
import { lookupText, MAX_INDEXED_TEXT, QueryInteger } from './bounds';
import type { TrajectorySummary } from './run-events';
import type { Trajectory } from './trajectory';

/** `GET /runs/:runId/pair?taskId=&a=STEP&b=STEP`: a probe task at two steps of a run, greedy trajectories. */
export const PairQuery = z.object({
  taskId: lookupText(MAX_INDEXED_TEXT).min(1),
  a: QueryInteger,
  b: QueryInteger,
});
export type PairQuery = z.infer<typeof PairQuery>;

const TrajectoryId = lookupText(20).min(1);

/** `GET /pair?a=TRAJECTORY&b=TRAJECTORY`: any two trajectories of one task. */
export const TrajectoryPairQuery = z.object({ a: TrajectoryId, b: TrajectoryId });
export type TrajectoryPairQuery = z.infer<typeof TrajectoryPairQuery>;

/** How early two samples of one checkpoint part on a task: what two sides differ by without any training between them. */
export interface NoiseFloor {
  samples: number;
  /** Pairs of samples. */
  pairs: number;
  /** Pairs that never part. */
  neverPart: number;
  /** Median turn, from 1, at which a pair parts; null where at least half never do. */
  medianTurn: number | null;
}

export interface PairSide {
  /** The run that recorded the trajectory. */
  runId: string;
  runName: string;
  /** The run whose checkpoint acted, where that is another one. */
  checkpointRun: { id: string; name: string } | null;
  /** Step of the checkpoint. */
  step: number;
  /** What is laid here; null where the step was not probed on the task. */
  played: { id: string; trajectory: Trajectory } | null;
  /** Sampled trajectories of the checkpoint on the task: the probe's or, where it was not probed, those recorded beside it. */
  samples: TrajectorySummary[];
  /** Null with fewer than two samples. */
  noiseFloor: NoiseFloor | null;
}

export interface Pair {
  taskId: string;
  taskType: string;
  goal: string;
  a: PairSide;
  b: PairSide;
}

/** `GET /trajectories/:trajectoryId/same-task`: what it can be laid beside, the newest runs first. */
export interface SameTaskTrajectory extends TrajectorySummary {
  runId: string;
  runName: string;
}
export interface SameTaskPage {
  taskId: string;
  goal: string;
  trajectories: SameTaskTrajectory[];
  /** All there are, of which the page shows some. */
  total: number;
}

/** `GET /runs/:runId/probe/shift?a=STEP&b=STEP`: every task of the probe at two steps. */
export const ProbeShiftQuery = z.object({ a: QueryInteger, b: QueryInteger });
export type ProbeShiftQuery = z.infer<typeof ProbeShiftQuery>;

/** What trajectories of one task did, summed. */
export interface BehaviourCounts {
  trajectories: number;
  /** Trajectories that an error ended; they are among the rest, as far as they went. */
  errored: number;
  successes: number;
  /** Won on the first turn. */
  oneShot: number;
  turns: number;
  /** Turns with an available list, and those of them whose action is in it. */
  listedTurns: number;
  grounded: number;
  /** Turns whose action the environment refused. */
  invalid: number;
  /** Turns whose action was taken and changed nothing, of those where that can be told. */
  noOp: number;
  judgedTurns: number;
  /** Trajectories with a loop. */
  looping: number;
}

export interface ProbeShiftSide {
  /** The greedy trajectory; null where the step was not probed on the task. */
  greedy:
    | (BehaviourCounts & { id: string; stopReason: Trajectory['stopReason']; error: Trajectory['error'] })
    | null;
  /** All samples of the step; null where there are none. */
  samples: BehaviourCounts | null;
}

export interface ProbeShiftTask {
  taskId: string;
  taskType: string;
  goal: string;
  a: ProbeShiftSide;
  b: ProbeShiftSide;
  /** Turn, from 1, at which the greedy trajectories part; null where they never do, or where one is missing. */
  firstDivergence: number | null;
}

export interface ProbeShift {
  runId: string;
  runName: string;
  /** Steps that were probed, ascending. */
  steps: number[];
  a: number;
  b: number;
  tasks: ProbeShiftTask[];
}
