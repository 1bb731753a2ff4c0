import { z } from 'zod';
import { GroupRollout, PERMUTE, PolicyUpdate, Recording, REWARD_SHAPE } from './policy-settings';
import { checkRunSettings, RUN_SHAPE } from './run-settings';

const fraction = z.number().min(0).max(1);

/** What is written before the first turn, and which of it is played. */
const StrategySettings = z.strictObject({
  count: z
    .int()
    .min(1)
    .max(64)
    .describe('Strategies of a task (N); its samples are shared among them, and they are compared'),
  oversampling: z
    .int()
    .min(1)
    .max(64)
    .describe('Times as many are written as are played (σ), where those far apart are chosen'),
  selection: z
    .enum(['farthest', 'independent'])
    .describe(
      'farthest: of those written, the ones whose embeddings lie far apart. independent: as many are written as are played',
    ),
  topFraction: fraction.describe(
    'A strategy is worth the mean of this best fraction of its trajectories (δ)',
  ),
});

/** What the policy says itself of its turns. */
const SelfJudgment = z.strictObject({
  penalty: z
    .number()
    .min(0)
    .max(10)
    .default(0.1)
    .describe('Subtracted from a turn that neither followed the strategy nor advanced the task (κ)'),
});

/** The source has such a term and publishes no formula: this one is ours. */
const LengthPenalty = z.strictObject({
  penalty: z
    .number()
    .min(0)
    .max(10)
    .default(0.1)
    .describe('Subtracted from a strategy or turn that is too long'),
  threshold: fraction.default(0.5).describe('Too long is above this fraction of the longest reply (λ)'),
});

/** Every setting of a StraTA run. Descriptions are the form's texts. */
export const StrataConfig = z
  .strictObject({
    ...RUN_SHAPE,
    rollout: GroupRollout,
    strategies: StrategySettings,
    judgment: SelfJudgment.nullable().describe(
      'The policy is shown each trajectory with its strategy and names the turns that went astray; none = it is not asked',
    ),
    reward: z.strictObject({
      ...REWARD_SHAPE,
      lengthPenalty: LengthPenalty.nullable().describe(
        'Penalty of long replies, of a formula of our own; none = none',
      ),
    }),
    advantage: z.strictObject({
      scale: z
        .enum(['none', 'std'])
        .describe('none: A = R − mean. std: divided by the group’s sample standard deviation + 1e-6'),
      dropNegligible: z
        .boolean()
        .describe(
          'Leave out strategies and turns whose advantage is 0: without KL and entropy they teach nothing',
        ),
      permute: PERMUTE,
    }),
    update: PolicyUpdate,
    recording: Recording,
  })
  .superRefine(checkRunSettings)
  .superRefine(({ scaffold, rollout, strategies }, context) => {
    const issue = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (scaffold.id !== 'strata' && scaffold.id !== 'listed-strategies')
      issue(['scaffold', 'id'], `${scaffold.id} writes no strategy; expected strata or listed-strategies`);
    if (rollout.groupSize % strategies.count !== 0)
      issue(
        ['rollout', 'groupSize'],
        `expected a multiple of the ${strategies.count} strategies, got ${rollout.groupSize}`,
      );
  });
export type StrataConfig = z.infer<typeof StrataConfig>;
