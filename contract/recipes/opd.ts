import { z } from 'zod';
import { TeacherSettings } from '../teacher';
import { GroupRollout, PERMUTE, PolicyUpdate, Recording } from './policy-settings';
import { checkBudgetCurrency, checkRunSettings, RUN_SHAPE } from './run-settings';

const Distillation = z.strictObject({
  coefficient: z
    .number()
    .min(0)
    .max(100)
    .describe('Weight of the reverse KL; 0 = the teacher teaches nothing'),
  discount: z
    .number()
    .min(0)
    .max(1)
    .describe(
      'Above 0, a token also answers for the KL that follows it, discounted; 0 = each token for itself',
    ),
  permute: PERMUTE,
});

const Diagnosis = z.strictObject({
  replies: z
    .int()
    .min(0)
    .max(10_000)
    .describe('Replies whose beginnings the teacher goes on with, at each evaluation; 0 = none'),
  depths: z
    .array(z.strictObject({ share: z.number().gt(0).lt(1) }))
    .max(8)
    .refine(
      (depths) => new Set(depths.map(({ share }) => share)).size === depths.length,
      'expected each share once',
    )
    .describe('Shares of a reply that it is given'),
  lengths: z
    .array(z.strictObject({ tokens: z.int().min(1) }))
    .max(8)
    .refine(
      (lengths) => lengths.every(({ tokens }, i) => i === 0 || tokens > (lengths[i - 1]?.tokens ?? 0)),
      'expected growing lengths',
    )
    .describe('Reply tokens at which the table by length is cut'),
});

/** Every setting of an on-policy distillation run. Descriptions are the form's texts. */
export const OpdConfig = z
  .strictObject({
    ...RUN_SHAPE,
    rollout: z.strictObject({
      ...GroupRollout.shape,
      groupSize: z.int().min(1).max(512).describe('Samples of each task; they share nothing'),
    }),
    teacher: TeacherSettings,
    distillation: Distillation,
    reward: z.strictObject({
      formatReward: z
        .number()
        .min(0)
        .max(100)
        .describe(
          'Added to the advantage of each token of a reply that keeps its format, subtracted where it does not',
        ),
    }),
    diagnosis: Diagnosis,
    update: PolicyUpdate,
    recording: Recording,
  })
  .superRefine(checkRunSettings)
  .superRefine(({ teacher, cost, rules }, context) => {
    const isAsked = teacher.kind === 'endpoint';
    if (isAsked && teacher.endpoint === null)
      context.addIssue({
        code: 'custom',
        path: ['teacher', 'endpoint'],
        message: 'expected an endpoint, for teacher.kind is endpoint',
      });
    const path = isAsked ? ['teacher', 'endpoint', 'prices'] : ['teacher', 'prices'];
    const prices = isAsked ? (teacher.endpoint?.prices ?? null) : teacher.prices;
    checkBudgetCurrency({ cost, rules }, { prices, path }, context);
  });
export type OpdConfig = z.infer<typeof OpdConfig>;
