import { z } from 'zod';
import { CheckpointReference } from './checkpoint';
import { SPLITS } from './trajectory';

/** Who acted: the run's own checkpoint, or a control that shows what needs no learning. */
const POLICIES = [
  'checkpoint',
  'random_offered_action',
  'look_around_script',
  'masked_base',
  'full_knowledge_planner',
] as const;
export type Policy = (typeof POLICIES)[number];

export const POLICY_TITLES: Record<Policy, string> = {
  checkpoint: 'Checkpoint',
  random_offered_action: 'Random offered action',
  look_around_script: 'Look-around script',
  masked_base: 'Base, actions masked to the offered ones',
  full_knowledge_planner: 'Full-knowledge planner (not reachable from the view)',
};

/** Sums over the tasks of one task type; one trajectory a task. */
export const TaskTypeCount = z.object({
  taskType: z.string(),
  n: z.int().nonnegative(),
  successes: z.int().nonnegative(),
  /** Null, here and below: an import whose source does not state it. */
  invalidActions: z.int().nonnegative().nullable(),
  turns: z.int().nonnegative().nullable(),
});
export type TaskTypeCount = z.infer<typeof TaskTypeCount>;

/** A policy on a split under stated settings. Everything a figure needs to be read or repeated. */
export const EvaluationResult = z.object({
  /** Checkpoint of another run that was evaluated; null = the run's own of `step`. */
  checkpoint: CheckpointReference.nullable().default(null),
  /** Step of the checkpoint; 0 for controls. */
  step: z.int().nonnegative(),
  policy: z.enum(POLICIES),
  split: z.enum(SPLITS),
  /** Hash of the split's task list. */
  splitHash: z.string(),
  environment: z.string(),
  environmentVersion: z.string(),
  environmentOptions: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  scaffold: z.string(),
  decoding: z.enum(['greedy', 'sampled']),
  temperature: z.number().nonnegative().nullable(),
  /** 0 = off. */
  topK: z.int().nonnegative().nullable().default(0),
  /** 1 = off. */
  topP: z.number().positive().max(1).nullable().default(1),
  maxTurns: z.int().positive().nullable(),
  /** Longest reply and longest prompt of a turn, in tokens; null where they were not recorded. */
  maxReplyTokens: z.int().positive().nullable().default(null),
  maxPromptTokens: z.int().positive().nullable().default(null),
  seed: z.int().nullable(),
  n: z.int().nonnegative(),
  successes: z.int().nonnegative(),
  invalidActions: z.int().nonnegative().nullable(),
  turns: z.int().nonnegative().nullable(),
  rewardMean: z.number().nullable(),
  byTaskType: z.array(TaskTypeCount),
  /** Trajectories that ended in an error; they count as failures. */
  errors: z.int().nonnegative().nullable(),
  /** Trajectories cut off by the turn limit or the context limit; they count as failures. Null where it was not counted. */
  truncated: z.int().nonnegative().nullable().default(null),
  /** Of the attempt that ended it. */
  seconds: z.number().nonnegative().nullable(),
});
export type EvaluationResult = z.infer<typeof EvaluationResult>;

/** What tells an evaluation of a run from its others. */
export type EvaluationIdentity = Pick<
  EvaluationResult,
  'checkpoint' | 'step' | 'policy' | 'split' | 'decoding' | 'seed'
>;

/** Name of an evaluation within its run; its trajectories bear it: `own/40/checkpoint/valid_seen/greedy/1`. */
export function evaluationKey(evaluation: EvaluationIdentity): string {
  const { checkpoint, step, policy, split, decoding, seed } = evaluation;
  return [checkpoint?.runId ?? 'own', step, policy, split, decoding, seed].join('/');
}

/** The run whose checkpoint the evaluation of that name is of; null = its own run's. */
export function evaluatedRunOf(key: string): string | null {
  // The run's id alone may hold a slash.
  const runId = key.split('/').slice(0, -5).join('/');
  return runId === 'own' ? null : runId;
}

/** Name of the series an evaluation's success is drawn as, e.g. `eval/valid_seen/success_rate`. */
export function evaluationSeries(
  evaluation: Pick<EvaluationResult, 'split' | 'decoding'>,
  metric: string,
): string {
  const greedy = evaluation.decoding === 'greedy' ? '_greedy' : '';
  return `eval/${evaluation.split}${greedy}/${metric}`;
}

/** Metrics of an evaluation; their series are named by `evaluationSeries`. */
export const EVALUATION_METRICS = [
  'success_rate',
  'invalid_action_rate',
  'turns_mean',
  'reward_mean',
] as const;
export type EvaluationMetric = (typeof EVALUATION_METRICS)[number];

/**
 * Its value: success over tasks, invalid actions over turns, turns and reward as means over tasks; NaN where an import
 * does not state what it is made of.
 */
export function evaluationMetric(evaluation: EvaluationResult, metric: EvaluationMetric): number {
  const { n, successes, invalidActions, turns, rewardMean } = evaluation;
  switch (metric) {
    case 'success_rate':
      return successes / n;
    case 'invalid_action_rate':
      return (invalidActions ?? NaN) / (turns ?? NaN);
    case 'turns_mean':
      return (turns ?? NaN) / n;
    case 'reward_mean':
      return rewardMean ?? NaN;
  }
}
