import { z } from 'zod';
import { isDecimal, lookupText, MAX_INDEXED_TEXT, QueryInteger, queryInteger, QueryNumber } from './bounds';
import { FAILURE_MODES } from './failure-cluster';
import type { TrajectorySummary } from './run-events';
import { MAX_SEARCH_LENGTH } from './text-search';
import { SPLITS, STOP_REASONS, TRAJECTORY_PHASES } from './trajectory';

/** Orders of a list: what a row is ordered by, the highest first, then the newest. */
export const TRAJECTORY_ORDERS = ['newest', 'reward', 'turns', 'invalid_actions', 'tokens'] as const;
export type TrajectoryOrder = (typeof TRAJECTORY_ORDERS)[number];

/** Which trajectories: filters that all hold. */
export const TrajectorySelection = z.object({
  step: QueryInteger.optional(),
  phase: z.enum(TRAJECTORY_PHASES).optional(),
  split: z.enum(SPLITS).optional(),
  /** Whatever a source calls its tasks: what the list offers can be chosen. */
  taskType: lookupText(MAX_INDEXED_TEXT).optional(),
  taskId: lookupText(MAX_INDEXED_TEXT).optional(),
  decoding: z.enum(['greedy', 'sampled']).optional(),
  /** `evaluationKey` of an evaluation. */
  evaluation: lookupText(400).min(1).optional(),
  /** `not_stated`: of a log that does not say who won. */
  success: z.enum(['true', 'false', 'not_stated']).optional(),
  stopReason: z.enum(STOP_REASONS).optional(),
  flag: lookupText(MAX_INDEXED_TEXT).min(1).optional(),
  /** How a lost one first went wrong, and the index of its first bad turn. */
  failureMode: z.enum(FAILURE_MODES).optional(),
  firstBadTurn: QueryInteger.optional(),
  minTurns: QueryInteger.optional(),
  maxTurns: QueryInteger.optional(),
  /** Reply tokens. */
  minTokens: QueryInteger.optional(),
  maxTokens: QueryInteger.optional(),
  /** The environment's own reward. */
  minReward: QueryNumber.optional(),
  maxReward: QueryNumber.optional(),
  /** As `parseSearch` reads it, within one turn. */
  text: lookupText(MAX_SEARCH_LENGTH).optional(),
});
export type TrajectorySelection = z.infer<typeof TrajectorySelection>;

/** Place of a row in its order, `VALUE_ID`: the value it is ordered by, whole for all orders but the reward's, and its id. What is not stated comes last: -1 for tokens, -Infinity for a reward. */
const CURSOR = /^([^_]{1,40})_(\d{1,18})$/;
const WHOLE = /^\d{1,18}$/;
const NOT_STATED: Partial<Record<TrajectoryOrder, string>> = { reward: '-Infinity', tokens: '-1' };

/** A cursor in its parts; null where the text is none of the order. */
export function readCursor(after: string, order: TrajectoryOrder): { value: string; id: string } | null {
  const [, value = '', id = ''] = CURSOR.exec(after) ?? [];
  return isPlace(value, order) ? { value, id } : null;
}

function isPlace(value: string, order: TrajectoryOrder): boolean {
  if (value === NOT_STATED[order]) return true;
  return order === 'reward' ? isDecimal(value) : WHOLE.test(value);
}

/** `GET /runs/:runId/trajectories` and `GET /trajectories`, which is of all runs. */
export const TrajectoriesQuery = TrajectorySelection.extend({
  order: z.enum(TRAJECTORY_ORDERS).default('newest'),
  limit: queryInteger(1, 500).default(50),
  /** `next` of the page before; absent: the first page. */
  after: z.string().max(60).optional(),
}).superRefine(({ order, after }, context) => {
  if (after === undefined || readCursor(after, order)) return;
  context.addIssue({
    code: 'custom',
    path: ['after'],
    message: `expected the \`next\` of the page before in the order ${order}, got ${JSON.stringify(after)}`,
  });
});
export type TrajectoriesQuery = z.infer<typeof TrajectoriesQuery>;

/** A row of the list. */
export interface ListedTrajectory extends TrajectorySummary {
  runId: string;
  runName: string;
  attempt: number;
  /** Where the searched text is; null where none was searched. */
  hit: SearchHit | null;
}

export interface SearchHit {
  /** Index of the first turn that has it; the count of turns = what the environment said at the end. */
  turn: number;
  /** The text around it, some hundred characters. */
  snippet: string;
  /** Of what the text is. */
  source: 'goal' | 'strategy' | 'observation' | 'reply' | 'memory';
}

/** A whole training group, whichever of its trajectories are listed. */
export interface GroupFigures {
  runId: string;
  attempt: number;
  step: number;
  group: number;
  /** Recorded trajectories, those whose outcome is stated, successes among them, those whose reward learned from is known. */
  n: number;
  judged: number;
  successes: number;
  rewarded: number;
  /** Of the rewards learned from; null where none is known. */
  mean: number | null;
  lowest: number | null;
  highest: number | null;
}

export interface TrajectoriesPage {
  trajectories: ListedTrajectory[];
  /** The training groups of this page's rows. */
  groups: GroupFigures[];
  /** Asks for the next page; null on the last one. */
  next: string | null;
}

/** `GET /runs/:runId/trajectories/summary` and `GET /trajectories/summary`: of the same selection. */
export interface TrajectoriesSummary {
  /** Trajectories that match, counted up to a bound. */
  total: number;
  /** At least `total` match: the bound was reached. */
  isLowerBound: boolean;
  /** Turns that a search does not reach yet. */
  unindexedTurns: number;
}

/** `GET /runs/:runId/trajectories/filters` and `GET /trajectories/filters`: what the filters can be set to. */
export interface TrajectoryFilterValues {
  /** Steps with trajectories; none for all runs together. */
  steps: number[];
  taskTypes: string[];
  flags: string[];
}
