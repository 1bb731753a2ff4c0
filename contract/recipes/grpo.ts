import { z } from 'zod';
import { GroupRollout, PERMUTE, PolicyUpdate, Recording, RewardSettings } from './policy-settings';
import { checkRunSettings, RUN_SHAPE } from './run-settings';

/** How a group's rewards become advantages. */
export const GroupAdvantage = z.strictObject({
  scale: z
    .enum(['none', 'std'])
    .describe('none: A = R − mean. std: divided by the group’s sample standard deviation + 1e-6'),
  over: z
    .enum(['trajectories', 'turns'])
    .default('trajectories')
    .describe(
      'What mean and deviation are over. turns: every turn is a row with its own penalties, so that long trajectories weigh more',
    ),
  dropDegenerateGroups: z.boolean().describe('Leave out groups whose rewards are all equal'),
  permute: PERMUTE,
});
export type GroupAdvantage = z.infer<typeof GroupAdvantage>;

/** A turn cap that grows as training goes on. */
const Horizon = z.strictObject({
  stages: z
    .array(z.strictObject({ maxTurns: z.int().min(1).max(1000) }))
    .min(1)
    .max(20)
    .describe('Turn cap of each stage'),
  stageSteps: z.int().min(1).max(100_000).describe('Steps of a stage; the last goes on'),
});

/** Every setting of a GRPO run. Descriptions are the form's texts. */
export const GrpoConfig = z
  .strictObject({
    ...RUN_SHAPE,
    rollout: GroupRollout,
    horizon: Horizon.nullable()
      .default(null)
      .describe('ScalingInter: episodes of training grow in stages; none = the environment’s cap throughout'),
    reward: RewardSettings,
    advantage: GroupAdvantage,
    update: PolicyUpdate,
    recording: Recording,
  })
  .superRefine(checkRunSettings)
  .superRefine(({ horizon, environment }, context) => {
    horizon?.stages.forEach(({ maxTurns }, index) => {
      if (maxTurns > environment.maxTurns)
        context.addIssue({
          code: 'custom',
          path: ['horizon', 'stages', index, 'maxTurns'],
          message: `expected at most the environment’s ${environment.maxTurns} turns, got ${maxTurns}`,
        });
    });
  });
export type GrpoConfig = z.infer<typeof GrpoConfig>;
