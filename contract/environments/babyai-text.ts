import { z } from 'zod';
import type { Split } from '../trajectory';

/** Task types under their published names. */
export const BABYAI_TEXT_TASK_TYPES = [
  'go_to',
  'pick_up',
  'open',
  'put_next_to',
  'pick_up_then_go_to',
  'go_to_after_pick_up',
] as const;
export type BabyAiTextTaskType = (typeof BABYAI_TEXT_TASK_TYPES)[number];

/** Tasks in the fixed list of each split; each holds equally many of the six task types. */
export const BABYAI_TEXT_SPLIT_SIZES = {
  train: 420,
  valid_seen: 420,
  valid_unseen: 240,
} as const satisfies Record<Split, number>;

/** BabyAI-Text: single steps, told in sentences. Descriptions are the form's texts. */
export const BabyAiTextConfig = z.strictObject({
  id: z.literal('babyai-text'),
  taskTypes: z
    .array(z.enum(BABYAI_TEXT_TASK_TYPES))
    .min(1)
    .refine((types) => new Set(types).size === types.length, 'expected each task type once')
    .describe('Task types that training draws from, uniformly'),
  maxTurns: z.int().min(1).max(200).describe('Turns after which an episode ends'),
  compat: z.enum(['none', 'upstream']).describe('upstream: every other rule as BabyAI-Text has it'),
});
export type BabyAiTextConfig = z.infer<typeof BabyAiTextConfig>;

export const BABYAI_TEXT_DEFAULTS: BabyAiTextConfig = {
  id: 'babyai-text',
  taskTypes: [...BABYAI_TEXT_TASK_TYPES],
  maxTurns: 30,
  compat: 'none',
};
