import { z } from 'zod';
import { GroupAdvantage } from './grpo';
import { GroupRollout, PolicyUpdate, Recording, RewardSettings } from './policy-settings';
import { checkRunSettings, RUN_SHAPE } from './run-settings';

/** A skill as text, for one task type or for all. */
const Skill = z.strictObject({
  taskType: z.string().max(200).describe('Tasks it is for; empty = all that no other skill names'),
  text: z.string().min(1, 'expected a text').max(20_000).describe('What the teacher is told before it acts'),
});
export type Skill = z.infer<typeof Skill>;

const Distillation = z.strictObject({
  coefficient: z
    .number()
    .min(0)
    .max(100)
    .describe('Weight of the gated gap in the loss; 0 leaves GRPO alone'),
  sharpness: z
    .number()
    .min(0)
    .max(1000)
    .describe('The gate is sigmoid(this × gap); 0 opens it by half for every token'),
  skills: z
    .array(Skill)
    .max(200)
    .refine(
      (skills) => new Set(skills.map(({ taskType }) => taskType)).size === skills.length,
      'expected each task type once',
    )
    .describe('Skills that stand in the teacher’s prompt; without one, teacher and student are the same'),
});

/** Every setting of an SDAR run. Descriptions are the form's texts. */
export const SdarConfig = z
  .strictObject({
    ...RUN_SHAPE,
    rollout: GroupRollout,
    reward: RewardSettings,
    advantage: GroupAdvantage.omit({ dropDegenerateGroups: true }),
    distillation: Distillation,
    update: PolicyUpdate,
    recording: Recording,
  })
  .superRefine(checkRunSettings);
export type SdarConfig = z.infer<typeof SdarConfig>;
