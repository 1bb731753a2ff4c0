import { z } from 'zod';
import { ROLLOUT_SHAPE } from './run-settings';

const fraction = z.number().min(0).max(1);

const decayRate = z.number().min(0).lt(1);

/** Episodes of a step, played in groups of one task. */
export const GroupRollout = z.strictObject({
  groups: z.int().min(1).max(4096).describe('Tasks a step'),
  groupSize: z.int().min(2).max(512).describe('Samples of each task; they share a baseline'),
  ...ROLLOUT_SHAPE,
});
export type GroupRollout = z.infer<typeof GroupRollout>;

export const Recording = z.strictObject({
  trainGroups: z.int().min(0).max(4096).describe('Groups of each step whose trajectories are kept'),
});
export type Recording = z.infer<typeof Recording>;

/** The learning rate by step. */
const RATE_SHAPE = {
  learningRate: z.number().min(0).max(1).describe('Peak learning rate of AdamW'),
  warmupSteps: z.int().min(0).max(100_000).describe('Steps of linear warm-up'),
  decaySteps: z
    .int()
    .min(0)
    .max(1_000_000)
    .describe('Steps over which the rate falls linearly; 0 = constant'),
  finalRateFraction: fraction.describe('Rate at the end of the decay, as a fraction of the peak'),
};

const ADAM_SHAPE = {
  beta1: decayRate.describe('AdamW beta 1'),
  beta2: decayRate.describe('AdamW beta 2'),
  eps: z.number().positive().max(1).describe('AdamW epsilon'),
  weightDecay: z.number().min(0).max(10).describe('Decoupled weight decay'),
  gradClipNorm: z.number().min(0).max(1e6).describe('Global-norm clip; 0 = off'),
};

/** What a trajectory is worth. */
export const REWARD_SHAPE = {
  outcome: z
    .enum(['environment', 'won', 'won-or-lost'])
    .default('environment')
    .describe(
      'environment: the reward it gives. won: 1 where the task was won, else 0. won-or-lost: 1 or −1',
    ),
  scale: z.number().min(0).max(1000).default(1).describe('The outcome is multiplied by this'),
  invalidActionPenalty: z
    .number()
    .min(0)
    .max(10)
    .describe('Subtracted for each action the environment refuses'),
  formatPenalty: z
    .number()
    .min(0)
    .max(10)
    .default(0)
    .describe('Subtracted for each reply that does not keep the scaffold’s format'),
  formatReward: z
    .number()
    .min(0)
    .max(10)
    .default(0)
    .describe('Added where every reply of a trajectory keeps the format, subtracted where one does not'),
};
export const RewardSettings = z.strictObject(REWARD_SHAPE);
export type RewardSettings = z.infer<typeof RewardSettings>;

/** The control that no recipe may learn from. */
export const PERMUTE = z
  .boolean()
  .describe('Control that must not learn: advantages shuffled over the batch');

/** An update by plain gradients, without a ratio to clip. */
export const OptimizerSettings = z.strictObject({ ...RATE_SHAPE, ...ADAM_SHAPE });
export type OptimizerSettings = z.infer<typeof OptimizerSettings>;

/** An update by a clipped policy gradient. */
export const PolicyUpdate = z.strictObject({
  ...RATE_SHAPE,
  epochs: z.int().min(1).max(64).describe('Passes over a step’s data'),
  minibatches: z.int().min(1).max(1024).describe('Optimizer updates a pass'),
  minibatchRows: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('Rows of an optimizer update, in place of their number; none = as many minibatches as stated'),
  loss: z
    .enum(['ppo', 'gspo', 'cispo', 'importance_sampling'])
    .default('ppo')
    .describe(
      'ppo: clipped ratio of each token. gspo: of the whole sequence. cispo: clipped weight of the log-probability. importance_sampling: no clip',
    ),
  clipLow: fraction.describe('Ratio is clipped below 1 − this'),
  clipHigh: z.number().min(0).max(10).describe('Ratio is clipped above 1 + this'),
  dualClip: z
    .number()
    .gt(1)
    .max(1000)
    .nullable()
    .default(null)
    .describe('Upper bound of the ratio where the advantage is negative, ppo alone; none = no bound'),
  entropyCoef: z.number().min(0).max(1).describe('Weight of the entropy bonus'),
  klCoef: z.number().min(0).max(10).describe('Weight of the k3 KL to the base model, in the loss'),
  aggregation: z
    .enum(['token-mean', 'seq-mean-token-mean', 'seq-mean-token-sum', 'seq-mean-token-sum-norm', 'token-sum'])
    .describe(
      'token-mean: over all reply tokens. seq-mean-…: of each sequence’s mean or sum. …-norm: of all over a constant. token-sum: of all, as Tinker has it',
    ),
  lossScaleFactor: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('The constant of seq-mean-token-sum-norm; none = length of the longest reply'),
  ...ADAM_SHAPE,
});
export type PolicyUpdate = z.infer<typeof PolicyUpdate>;
