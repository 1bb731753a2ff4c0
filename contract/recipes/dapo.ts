import { z } from 'zod';
import { GroupRollout, PERMUTE, PolicyUpdate, Recording, REWARD_SHAPE } from './policy-settings';
import { checkRunSettings, RUN_SHAPE } from './run-settings';

const DynamicSampling = z.strictObject({
  batchGroups: z.int().min(1).max(4096).describe('Tasks that are sampled at a time'),
  maxBatches: z.int().min(1).max(1000).describe('Most times that a step may sample'),
  keep: z
    .enum(['unequal', 'deviation'])
    .describe(
      'Which groups teach. unequal: rewards that are not all equal (verl-agent). deviation: numpy’s standard deviation is above 0, which rounding can do to equal ones (verl)',
    ),
  whenShort: z
    .enum(['train-on-kept', 'keep-all', 'fail'])
    .describe(
      'Too few groups after the last batch. keep-all: those without variance fill up (verl-agent). fail: the run fails (verl)',
    ),
  balanceTaskTypes: z.boolean().describe('As many tasks of each type in a batch'),
});

const Overlong = z.strictObject({
  maxLength: z.int().min(1).describe('Reply tokens that a trajectory may have'),
  bufferLength: z.int().min(1).describe('The last of them, over which the penalty grows'),
  factor: z.number().min(0).max(100).describe('Penalty at the longest'),
  bounded: z.boolean().describe('Whether it stops growing there (agentic-rl-lab) or goes on (verl)'),
});

/** Every setting of a DAPO run. Descriptions are the form's texts. */
export const DapoConfig = z
  .strictObject({
    ...RUN_SHAPE,
    rollout: GroupRollout,
    sampling: DynamicSampling,
    reward: z.strictObject({
      ...REWARD_SHAPE,
      overlong: Overlong.nullable().describe('Soft punishment of long replies; none = none'),
    }),
    advantage: z.strictObject({
      scale: z
        .enum(['none', 'std'])
        .describe('none: A = R − mean. std: divided by the group’s sample standard deviation + 1e-6'),
      permute: PERMUTE,
    }),
    update: PolicyUpdate,
    recording: Recording,
  })
  .superRefine(checkRunSettings)
  .superRefine(({ rollout, sampling: { batchGroups, maxBatches } }, context) => {
    if (batchGroups * maxBatches < rollout.groups)
      context.addIssue({
        code: 'custom',
        path: ['sampling', 'maxBatches'],
        message:
          `expected at least ${Math.ceil(rollout.groups / batchGroups)}, for batches of ${batchGroups} to have the ` +
          `${rollout.groups} of rollout.groups, got ${maxBatches}`,
      });
  })
  .superRefine(({ reward: { overlong } }, context) => {
    if (overlong && overlong.bufferLength > overlong.maxLength)
      context.addIssue({
        code: 'custom',
        path: ['reward', 'overlong', 'bufferLength'],
        message: `expected at most the ${overlong.maxLength} of maxLength, got ${overlong.bufferLength}`,
      });
  });
export type DapoConfig = z.infer<typeof DapoConfig>;
