import { z } from 'zod';
import type { CheckpointReference } from './checkpoint';
import { splitSizesOf } from './environments/registry';
import type { EvaluationResult } from './evaluation';
import {
  CheckpointEvaluationConfig,
  EvaluationSeeds,
  type EvaluationUnit,
} from './recipes/checkpoint-evaluation';
import { EvaluationSettings, ROLLOUT_SHAPE, type RunSettings } from './recipes/run-settings';
import type { RunStatus } from './run';

/** Evaluations of checkpoints that a person asks for: `POST /runs/:runId/evaluations` and what became of them. */

const { splits, decodings, temperature, topK, topP } = EvaluationSettings.shape;

/** Body of `POST /runs/:runId/evaluations`: which checkpoints of the run, and what differs from how it evaluated itself. */
export const EvaluationRequest = z
  .strictObject({
    name: z.string().trim().min(1, 'expected a name').max(100).optional(),
    /** Steps with a complete checkpoint; 0 is the untrained model. */
    steps: z.array(z.int().min(0)).max(200).default([]),
    /** Beside them every so many-th of its complete checkpoints, counted back from the newest. */
    everyNth: z.int().min(1).optional(),
    splits: splits.optional(),
    decodings: decodings.optional(),
    seeds: EvaluationSeeds.optional(),
    // Without their defaults: what is left out is as the run evaluated itself.
    temperature: temperature.unwrap().optional(),
    topK: topK.unwrap().optional(),
    topP: topP.unwrap().optional(),
    /** At most what the environment allows. */
    maxTurns: z.int().min(1).optional(),
    maxReplyTokens: ROLLOUT_SHAPE.maxReplyTokens.optional(),
    maxPromptTokens: z.int().min(16).max(1_000_000).optional(),
    tasksAtOnce: CheckpointEvaluationConfig.shape.tasksAtOnce.optional(),
  })
  .refine(({ steps, everyNth }) => steps.length > 0 || everyNth !== undefined, {
    path: ['steps'],
    message: 'expected the step of a checkpoint, or everyNth',
  });
export type EvaluationRequest = z.infer<typeof EvaluationRequest>;

/** Tasks played side by side where a request does not say. */
const TASKS_AT_ONCE = 32;

/**
 * The config of a requested evaluation, not yet parsed: what the request does not say is as the run evaluated itself at
 * its last step; where it evaluated nothing, all tasks of valid_seen, greedily.
 */
export function evaluationConfigOf(
  source: RunSettings,
  checkpoints: readonly CheckpointReference[],
  request: Omit<EvaluationRequest, 'name' | 'steps' | 'everyNth'>,
): unknown {
  const { seed, engine, environment, scaffold, rollout, evaluation, cost } = source;
  return {
    seed,
    steps: 1,
    engine,
    environment: { ...environment, maxTurns: request.maxTurns ?? environment.maxTurns },
    scaffold,
    rollout: {
      ...rollout,
      maxReplyTokens: request.maxReplyTokens ?? rollout.maxReplyTokens,
      maxPromptTokens: request.maxPromptTokens ?? rollout.maxPromptTokens,
    },
    evaluation: {
      everySteps: 0,
      splits: request.splits ?? defaultSplits(source),
      finalSplits: [],
      decodings: request.decodings ?? (evaluation.decodings.length > 0 ? evaluation.decodings : ['greedy']),
      temperature: request.temperature ?? evaluation.temperature,
      topK: request.topK ?? evaluation.topK,
      topP: request.topP ?? evaluation.topP,
      controls: false,
    },
    probe: { tasks: 0, samples: 1 },
    checkpoint: { everySteps: 1 },
    cost,
    rules: null,
    checkpoints,
    seeds: request.seeds ?? [seed],
    tasksAtOnce: request.tasksAtOnce ?? TASKS_AT_ONCE,
  };
}

function defaultSplits({ evaluation, environment }: RunSettings): EvaluationSplits {
  const own = evaluation.finalSplits.length > 0 ? evaluation.finalSplits : evaluation.splits;
  return own.length > 0 ? own : [{ split: 'valid_seen', tasks: splitSizesOf(environment).valid_seen }];
}

type EvaluationSplits = RunSettings['evaluation']['splits'];

/** `GET /runs/:runId/requested-evaluations`: a run that evaluates checkpoints of this one, the newest first. */
export interface RequestedEvaluation {
  runId: string;
  name: string;
  status: RunStatus;
  reason: string | null;
  createdAt: number;
  /** Steps of the checkpoints. */
  steps: number[];
  splits: EvaluationSplits;
  decodings: EvaluationResult['decoding'][];
  seeds: number[];
  /** Evaluations that have ended, of how many. */
  finished: number;
  evaluations: number;
  /** Trajectories that are stored, of how many. */
  played: number;
  trajectories: number;
}

/** One evaluation of a requested run: its result, or how far it has come. */
export interface EvaluationUnitRow extends EvaluationUnit {
  /** Trajectories stored, one a task; of those: successes, ended in an error, cut off by a limit. */
  played: number;
  successes: number;
  errors: number;
  truncated: number;
  /** Null until all tasks are played. */
  result: EvaluationResult | null;
}

/** `GET /runs/:runId/evaluation-units`: what a run that evaluates checkpoints has come to. */
export interface EvaluationUnits {
  /** The run whose checkpoints they are; null name where it is not there any more. */
  source: { runId: string; name: string | null };
  config: CheckpointEvaluationConfig;
  units: EvaluationUnitRow[];
}
