import { z } from 'zod';
import { GroupRollout, PERMUTE, PolicyUpdate, Recording, RewardSettings } from './policy-settings';
import { checkRunSettings, RUN_SHAPE } from './run-settings';

const GigpoAdvantage = z.strictObject({
  scale: z
    .enum(['none', 'std'])
    .describe(
      'none: less the mean (mean_norm). std: also over the sample standard deviation (mean_std_norm)',
    ),
  stepWeight: z
    .number()
    .min(0)
    .max(100)
    .describe('Weight of the state’s part; 0 leaves the episode’s part alone'),
  discount: z.number().min(0).max(1).describe('Discount of the returns that states are compared by'),
  similarity: z
    .number()
    .gt(0)
    .lt(1)
    .nullable()
    .describe(
      'Observations at least this alike are one state, as Python’s difflib measures; none = equal ones',
    ),
  permute: PERMUTE,
});

/** Every setting of a GiGPO run. Descriptions are the form's texts. */
export const GigpoConfig = z
  .strictObject({
    ...RUN_SHAPE,
    rollout: GroupRollout,
    reward: RewardSettings,
    advantage: GigpoAdvantage,
    update: PolicyUpdate,
    recording: Recording,
  })
  .superRefine(checkRunSettings);
export type GigpoConfig = z.infer<typeof GigpoConfig>;
