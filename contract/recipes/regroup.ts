import { z } from 'zod';
import { GroupRollout, PERMUTE, PolicyUpdate, Recording, RewardSettings } from './policy-settings';
import { checkRunSettings, RUN_SHAPE } from './run-settings';

/** Every setting of a regroup run. Descriptions are the form's texts. */
export const RegroupConfig = z
  .strictObject({
    ...RUN_SHAPE,
    rollout: GroupRollout,
    fork: z.strictObject({
      turn: z
        .enum(['random', 'first'])
        .describe('Where the group sets in: at a random turn of an episode, or at its first, which is GRPO'),
    }),
    reward: RewardSettings,
    advantage: z.strictObject({
      scale: z
        .enum(['none', 'std'])
        .describe('none: A = R − mean. std: divided by the group’s sample standard deviation + 1e-6'),
      dropDegenerateGroups: z.boolean().describe('Leave out groups whose rewards are all equal'),
      permute: PERMUTE,
    }),
    update: PolicyUpdate,
    recording: Recording,
  })
  .superRefine(checkRunSettings);
export type RegroupConfig = z.infer<typeof RegroupConfig>;
