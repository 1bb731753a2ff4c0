import { z } from 'zod';
import { GroupRollout, PERMUTE, PolicyUpdate, Recording } from './policy-settings';
import { checkRunSettings, RUN_SHAPE } from './run-settings';

/** Every setting of an alfworld-lab run. Descriptions are the form's texts. */
export const AlfworldLabConfig = z
  .strictObject({
    ...RUN_SHAPE,
    rollout: GroupRollout.extend({
      seeds: z
        .enum(['every-step', 'same'])
        .describe(
          'every-step: each step draws its replies anew. same: a group’s samples have the same seeds at every step, as the source has it',
        ),
    }),
    reward: z.strictObject({
      invalidActionPenalty: z
        .number()
        .min(0)
        .max(10)
        .describe(
          'Subtracted for each reply that breaks the format or whose action was not in the list shown',
        ),
    }),
    advantage: z.strictObject({ permute: PERMUTE }),
    update: PolicyUpdate,
    recording: Recording,
  })
  .superRefine(checkRunSettings);
export type AlfworldLabConfig = z.infer<typeof AlfworldLabConfig>;
