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

/** Tasks of `babyai-text-50`: the published evaluation's numbers of each type. */
export const BABYAI_TEXT_50_COUNTS = {
  go_to: 5,
  go_to_after_pick_up: 9,
  open: 11,
  pick_up: 11,
  pick_up_then_go_to: 6,
  put_next_to: 8,
} as const satisfies Record<BabyAiTextTaskType, number>;

/** Lists that a run may be evaluated on as its `valid_seen`. */
const VALID_SEEN_LISTS = ['balanced', 'babyai-text-50'] as const;

/** BabyAI-Text: single steps, told in sentences. Descriptions are the form's texts. */
export const BabyAiTextConfig = z.strictObject({
  id: z.literal('babyai-text'),
  taskTypes: z
    .array(z.enum(BABYAI_TEXT_TASK_TYPES))
    .min(1)
    .refine((types) => new Set(types).size === types.length, 'expected each task type once')
    .describe('Task types that training draws from, uniformly'),
  maxTurns: z.int().min(1).max(200).describe('Turns after which an episode ends'),
  validSeen: z
    .enum(VALID_SEEN_LISTS)
    .describe(
      'Tasks of valid_seen. balanced: 70 of each type. babyai-text-50: the published numbers of each',
    ),
  compat: z.enum(['none', 'upstream']).describe('upstream: every other rule as BabyAI-Text has it'),
});
export type BabyAiTextConfig = z.infer<typeof BabyAiTextConfig>;

export const BABYAI_TEXT_DEFAULTS: BabyAiTextConfig = {
  id: 'babyai-text',
  taskTypes: [...BABYAI_TEXT_TASK_TYPES],
  maxTurns: 30,
  validSeen: 'balanced',
  compat: 'none',
};

/** Tasks in the fixed list of each split, by the list chosen for `valid_seen`. */
export function babyAiTextSplitSizes({ validSeen }: BabyAiTextConfig): Record<Split, number> {
  const published = Object.values(BABYAI_TEXT_50_COUNTS).reduce((sum, count) => sum + count, 0);
  return {
    ...BABYAI_TEXT_SPLIT_SIZES,
    ...(validSeen === 'babyai-text-50' && { valid_seen: published }),
  };
}
