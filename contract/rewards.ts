import { z } from 'zod';
import { QueryInteger, QueryNumber } from './bounds';
import { GroupAdvantage } from './recipes/grpo';
import { RewardSettings } from './recipes/policy-settings';
import { TRAJECTORY_PHASES } from './trajectory';

/** A formula of rewards: the settings of recipes, and whether a trajectory has one score or one a turn, of which the mean is shown. */
export const RewardFormula = RewardSettings.extend({ over: GroupAdvantage.shape.over });
export type RewardFormula = z.infer<typeof RewardFormula>;

const { outcome, scale, invalidActionPenalty, formatPenalty, formatReward, over } = RewardFormula.shape;

/**
 * `GET /runs/:runId/rewards?outcome=&scale=&…`: rewards of stored trajectories under another formula. What is left out is as
 * the run has it, or plain where it has no such setting.
 */
export const RewardsQuery = z.object({
  outcome: outcome.unwrap().optional(),
  scale: QueryNumber.pipe(scale.unwrap()).optional(),
  invalidActionPenalty: QueryNumber.pipe(invalidActionPenalty).optional(),
  formatPenalty: QueryNumber.pipe(formatPenalty.unwrap()).optional(),
  formatReward: QueryNumber.pipe(formatReward.unwrap()).optional(),
  over: over.unwrap().optional(),
  phase: z.enum(TRAJECTORY_PHASES).default('train'),
  fromStep: QueryInteger.optional(),
  toStep: QueryInteger.optional(),
});
export type RewardsQuery = z.infer<typeof RewardsQuery>;

/** Rewards of some trajectories under one formula. */
export interface RewardFigures {
  /** Trajectories that have such a reward. */
  n: number;
  /** Null where none has. */
  mean: number | null;
  /** Groups of at least two such trajectories, and those of them whose rewards are all equal. */
  groups: number;
  degenerateGroups: number;
}

export interface RescoredTrajectories {
  /** Trajectories that were played to their end. */
  n: number;
  /** Ended in an error: no formula scores them. */
  errors: number;
  /** Of n, those of a log that does not state what the formula needs: it scores them not. */
  unscored: number;
  /** As they were recorded. */
  old: RewardFigures;
  /** Under the formula. */
  new: RewardFigures;
}

/** A trajectory under both formulas. */
export interface RescoredTrajectory {
  id: string;
  taskId: string;
  group: number | null;
  sample: number;
  /** Null where the source does not state it. */
  success: boolean | null;
  /** The environment's own reward. */
  reward: number | null;
  old: number | null;
  new: number | null;
}

export interface RescoredRewards {
  /** The run's own formula; null where its recipe has none. */
  own: RewardFormula | null;
  formula: RewardFormula;
  total: RescoredTrajectories;
  /** Steps with stored trajectories, ascending; the newest attempt at each. */
  steps: ({ step: number } & RescoredTrajectories)[];
  /** Of a query for a single step: each of its trajectories. */
  trajectories: RescoredTrajectory[];
}
