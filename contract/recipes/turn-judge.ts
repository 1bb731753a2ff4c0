import { z } from 'zod';
import { EndpointSettings } from '../endpoint';
import { templateSchema } from '../prompt-template';
import { JUDGE_PARTS } from './judge-prompt';
import { GroupRollout, PERMUTE, PolicyUpdate, Recording } from './policy-settings';
import { checkBudgetCurrency, checkRunSettings, RUN_SHAPE } from './run-settings';

/** Who scores turns, and which. */
const JudgeSettings = z.strictObject({
  turns: z.int().min(1).max(1000).describe('Turns drawn of each trajectory, each a sample of its own'),
  source: z
    .enum(['none', 'expert', 'endpoint'])
    .describe(
      'Who scores them. expert: the environment’s own planner, which knows the hidden state: an oracle. endpoint: a language model. none: nobody',
    ),
  endpoint: EndpointSettings.nullable().default(null).describe('The language model that scores'),
  temperature: z.number().min(0).max(2).default(0).describe('Of the language model; 0 = greedy'),
  maxReplyTokens: z.int().min(1).max(65_536).default(1024).describe('Longest answer of the language model'),
  tries: z
    .int()
    .min(1)
    .max(20)
    .default(3)
    .describe('Answers asked for until one holds a score; a turn without one is counted and left out'),
  windowSteps: z.int().min(1).max(100_000).default(200).describe('Steps that a table is over'),
  template: templateSchema(JUDGE_PARTS).optional().describe('Texts that replace the judge’s own prompt'),
});
export type JudgeSettings = z.infer<typeof JudgeSettings>;

/** What a drawn turn is worth. */
export const JudgeMix = z.strictObject({
  outcomeWeight: z.number().min(0).max(100).describe('Weight of the trajectory’s outcome'),
  successReward: z.number().min(-1000).max(1000).describe('Outcome of a success'),
  failureReward: z.number().min(-1000).max(1000).describe('Outcome of a failure'),
  judgeWeight: z.number().min(0).max(100).describe('Weight of the judge’s score; 0 = no judge is asked'),
  format: z
    .enum(['strict', 'soft'])
    .describe(
      'strict: one reply that cannot be parsed fails its whole trajectory: outcome and judge count −1 each, and formatReward is subtracted, which is added otherwise. soft: only that turn loses formatReward',
    ),
  formatReward: z.number().min(0).max(100).describe('Added or subtracted for the format'),
});
export type JudgeMix = z.infer<typeof JudgeMix>;

/** Every setting of a run that learns from judged turns. Descriptions are the form's texts. */
export const TurnJudgeConfig = z
  .strictObject({
    ...RUN_SHAPE,
    rollout: z.strictObject({
      ...GroupRollout.shape,
      groupSize: z.int().min(1).max(512).describe('Samples of each task; they share nothing'),
    }),
    judge: JudgeSettings,
    reward: JudgeMix,
    advantage: z.strictObject({ permute: PERMUTE }),
    update: PolicyUpdate,
    recording: Recording,
  })
  .superRefine(checkRunSettings)
  .superRefine(({ judge, reward, cost, rules }, context) => {
    const prices = judge.endpoint?.prices ?? null;
    checkBudgetCurrency({ cost, rules }, { prices, path: ['judge', 'endpoint', 'prices'] }, context);
    if (judge.source === 'endpoint' && judge.endpoint === null)
      context.addIssue({
        code: 'custom',
        path: ['judge', 'endpoint'],
        message: 'expected an endpoint, for judge.source is endpoint',
      });
    if (judge.source === 'none' && reward.judgeWeight > 0)
      context.addIssue({
        code: 'custom',
        path: ['judge', 'source'],
        message: `expected expert or endpoint, for reward.judgeWeight is ${reward.judgeWeight}`,
      });
  });
export type TurnJudgeConfig = z.infer<typeof TurnJudgeConfig>;
