import { z } from 'zod';
import { lookupText, QueryInteger, queryInteger } from './bounds';
import type { CheckpointLocation, CheckpointFile } from './checkpoint';
import type { EvaluationResult } from './evaluation';
import { RunRules } from './recipes/run-rules';
import type { PublishedEvent, TrajectorySummary, WireNumber } from './run-events';
import type { RunView } from './run-view';
import type { RunKind, RunStatus } from './run';
import type { Trajectory } from './trajectory';
import type { TurnCut } from './trajectory-cut';
import type { WorkerReport } from './worker-report';

/** Answers of REST `/api/v1`, one type a route. Times are ms since 1970. */

/** `GET /runs`: a row of the list. */
export interface RunRow {
  id: string;
  name: string;
  kind: RunKind;
  recipe: string;
  preset: string;
  /** Null of an import. */
  seed: number | null;
  status: RunStatus;
  reason: string | null;
  attempt: number;
  step: number;
  steps: number | null;
  workerName: string | null;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  /** Newest value of `reward/mean`. */
  rewardMean: number | null;
  /** Sampled evaluations of the checkpoint on valid_seen: the newest and the one with the highest rate. */
  lastEvaluation: EvaluationFigure | null;
  bestEvaluation: EvaluationFigure | null;
}

export interface EvaluationFigure {
  step: number;
  split: EvaluationResult['split'];
  successes: number;
  n: number;
  /** Evaluations of the step by the same attempt, over seeds or settings: the figure is of the last of them. */
  evaluations: number;
}

/** `GET /runs/:runId`. */
export interface RunDetail {
  run: RunRow;
  config: unknown;
  view: RunView;
  worker: { id: string; name: string; lastBeatAt: number | null } | null;
  leaseMs: number;
  heartbeatMs: number;
}

/** `POST /runs` answers 201 with this. */
export interface LaunchedRun {
  runId: string;
}

/** Body of `POST /runs/:runId/continue`: what changes; what is left out stays. */
export const ContinueRequest = z.strictObject({
  /** As many as the run has, or more. */
  steps: z.int().min(1).max(100_000).optional(),
  rules: RunRules.nullable().optional(),
});
export type ContinueRequest = z.infer<typeof ContinueRequest>;

/** `GET /runs/:runId/series/names`: a series that the run has, and how many points it has. */
export interface SeriesName {
  name: string;
  count: number;
}

/** Most series that one `GET /series` asks for. */
export const MAX_SERIES_ASKED = 100;

/** `GET /runs/:runId/series?name=a&name=b&buckets=N&fromStep=&toStep=`. */
export const SeriesQuery = z.object({
  name: z.array(lookupText(200).min(1)).min(1).max(MAX_SERIES_ASKED),
  buckets: queryInteger(1, 5000).default(1000),
  fromStep: QueryInteger.optional(),
  toStep: QueryInteger.optional(),
});
export type SeriesQuery = z.infer<typeof SeriesQuery>;

/** `GET /runs/:runId/series/sums?name=a&name=b`. */
export const SeriesSumsQuery = SeriesQuery.pick({ name: true });

/** What the finite points of a series add up to. */
export interface SeriesSum {
  name: string;
  /** Over all attempts: what a lost attempt used was used all the same. */
  sum: number;
  /** The part of it that a newer attempt has overwritten. */
  overwritten: number;
  /** Finite points in it; 0 where the run has no such series. */
  count: number;
  /** Newest step with a point; null where there is none. */
  lastStep: number | null;
  /** Position of the newest event included: live points after it are added. */
  position: number;
}

/** Steps `fromStep..toStep` of a series. With as many buckets as steps each bucket is one point. */
export interface SeriesBucket {
  fromStep: number;
  toStep: number;
  min: number | null;
  max: number | null;
  first: number | null;
  last: number | null;
  /** Finite points. */
  count: number;
  nonFinite: number;
}

export interface SeriesCurve {
  name: string;
  /** Newest attempt at each step. */
  buckets: SeriesBucket[];
  /** Points that a newer attempt has overwritten, drawn faint. */
  overwritten: { attempt: number; step: number; value: WireNumber }[];
  /** Position of the newest event included: live points after it are appended. */
  position: number;
}

/** `GET /runs/:runId/events?afterPosition=N`: what a browser missed; at most 1,000. */
export interface EventsPage {
  events: PublishedEvent[];
  /** More were missed than are sent: fetch the run again. */
  refetch: boolean;
}

/** `GET /trajectories/:trajectoryId`. */
export interface TrajectoryDetail {
  id: string;
  runId: string;
  runName: string;
  attempt: number;
  trajectory: Trajectory;
  /** The other trajectories of the same group or, outside training, of the same task and step. */
  siblings: TrajectorySummary[];
  /** What each turn lacks, where the transcript is long and was asked for cut; absent: the turns are whole. */
  cut?: TurnCut[];
}

/** `GET /runs/:runId/probe`: tasks and steps that can be laid side by side. */
export interface ProbeIndex {
  steps: number[];
  tasks: { taskId: string; taskType: string; goal: string }[];
}

/** `GET /runs/:runId/evaluations`. */
export interface EvaluationRow {
  id: string;
  attempt: number;
  /** `evaluationKey` of the evaluation. */
  key: string;
  /** Newest attempt at this evaluation, as `evaluationKey` tells them apart. */
  current: boolean;
  evaluation: EvaluationResult;
}

/** `GET /runs/:runId/checkpoints`. */
export interface CheckpointRow {
  id: string;
  step: number;
  parentStep: number | null;
  attempt: number;
  size: number;
  complete: boolean;
  files: CheckpointFile[];
  locations: CheckpointLocation[];
  createdAt: number;
}

/** `GET /workers`. */
export interface WorkerRow {
  id: string;
  name: string;
  connected: boolean;
  protocol: number;
  devices: string[];
  engines: string[];
  environments: string[];
  lastBeatAt: number | null;
  /** What it last said of its machine and engines; null where it never did. */
  report: WorkerReport | null;
  /** When it said so, by the server's clock. */
  reportedAt: number | null;
  runId: string | null;
  runName: string | null;
}

/** `GET /health`. */
export interface Health {
  status: 'ok';
  protocol: number;
  version: string;
}
