import { z } from 'zod';
import { GroupRollout, PolicyUpdate, Recording } from './policy-settings';
import { checkRunSettings, RUN_SHAPE } from './run-settings';

/** Every setting of a GRPO run. Descriptions are the form's texts. */
export const GrpoConfig = z
  .strictObject({
    ...RUN_SHAPE,
    rollout: GroupRollout,
    reward: z.strictObject({
      invalidActionPenalty: z
        .number()
        .min(0)
        .max(10)
        .describe('Subtracted for each action the environment refuses'),
    }),
    advantage: z.strictObject({
      scale: z
        .enum(['none', 'std'])
        .describe('none: A = R − mean. std: divided by the group’s sample standard deviation + 1e-6'),
      dropDegenerateGroups: z.boolean().describe('Leave out groups whose rewards are all equal'),
      permute: z.boolean().describe('Control that must not learn: advantages shuffled over the batch'),
    }),
    update: PolicyUpdate,
    recording: Recording,
  })
  .superRefine(checkRunSettings);
export type GrpoConfig = z.infer<typeof GrpoConfig>;
