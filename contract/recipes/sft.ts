import { z } from 'zod';
import { TrajectoryFilter } from '../trajectory-filter';
import { OptimizerSettings } from './policy-settings';
import { checkRunSettings, RUN_SHAPE } from './run-settings';

const Demonstrations = z.strictObject({
  source: z
    .enum(['expert', 'trajectories'])
    .describe(
      'What is imitated. expert: the environment’s planner, which knows the hidden state, on new tasks each step. trajectories: what runs have recorded',
    ),
  trajectories: TrajectoryFilter.nullable().default(null).describe('Which recorded trajectories'),
  perStep: z.int().min(1).max(4096).describe('Demonstrations a step'),
  permute: z
    .boolean()
    .default(false)
    .describe('Control that must not learn: the replies dealt anew among the prompts of a step'),
});

/** Every setting of a fine-tuning run. Descriptions are the form's texts. */
export const SftConfig = z
  .strictObject({
    ...RUN_SHAPE,
    demonstrations: Demonstrations,
    update: OptimizerSettings.extend({
      minibatches: z.int().min(1).max(1024).describe('Optimizer updates a step'),
    }),
    recording: z.strictObject({
      trainGroups: z.int().min(0).max(4096).describe('Demonstrations of the expert kept of each step'),
    }),
  })
  .superRefine(checkRunSettings)
  .superRefine(({ demonstrations: { source, trajectories } }, context) => {
    if (source === 'trajectories' && trajectories === null)
      context.addIssue({
        code: 'custom',
        path: ['demonstrations', 'trajectories'],
        message: 'expected a filter, for demonstrations.source is trajectories',
      });
  });
export type SftConfig = z.infer<typeof SftConfig>;
