import { z } from 'zod';
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
  invalidActions: z.int().nonnegative(),
  turns: z.int().nonnegative(),
});
export type TaskTypeCount = z.infer<typeof TaskTypeCount>;

/** A policy on a split under stated settings. Everything a figure needs to be read or repeated. */
export const EvaluationResult = z.object({
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
  temperature: z.number().nonnegative(),
  /** 0 = off. */
  topK: z.int().nonnegative().default(0),
  /** 1 = off. */
  topP: z.number().positive().max(1).default(1),
  maxTurns: z.int().positive(),
  seed: z.int(),
  n: z.int().nonnegative(),
  successes: z.int().nonnegative(),
  invalidActions: z.int().nonnegative(),
  turns: z.int().nonnegative(),
  rewardMean: z.number(),
  byTaskType: z.array(TaskTypeCount),
  /** Trajectories that ended in an error; they count as failures. */
  errors: z.int().nonnegative(),
  seconds: z.number().nonnegative(),
});
export type EvaluationResult = z.infer<typeof EvaluationResult>;

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

/** Its value: success over tasks, invalid actions over turns, turns and reward as means over tasks. */
export function evaluationMetric(evaluation: EvaluationResult, metric: EvaluationMetric): number {
  const { n, successes, invalidActions, turns, rewardMean } = evaluation;
  switch (metric) {
    case 'success_rate':
      return successes / n;
    case 'invalid_action_rate':
      return invalidActions / turns;
    case 'turns_mean':
      return turns / n;
    case 'reward_mean':
      return rewardMean;
  }
}
