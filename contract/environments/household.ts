import { z } from 'zod';
import type { Split } from '../trajectory';

/** Six kinds of errand, in the spirit of ALFWorld's six task types. */
export const HOUSEHOLD_TASK_TYPES = [
  'place',
  'place_two',
  'clean_and_place',
  'heat_and_place',
  'cool_and_place',
  'examine_in_light',
] as const;
export type HouseholdTaskType = (typeof HOUSEHOLD_TASK_TYPES)[number];

/** Tasks in the fixed list of each split; each holds equally many of the six task types. */
export const HOUSEHOLD_SPLIT_SIZES = {
  train: 420,
  valid_seen: 240,
  valid_unseen: 240,
} as const satisfies Record<Split, number>;

/** Built-in household games. Descriptions are the form's texts. */
export const HouseholdConfig = z.strictObject({
  id: z.literal('household'),
  taskTypes: z
    .array(z.enum(HOUSEHOLD_TASK_TYPES))
    .min(1)
    .refine((types) => new Set(types).size === types.length, 'expected each task type once')
    .describe('Task types that training draws from, uniformly'),
  maxTurns: z.int().min(1).max(200).describe('Turns after which an episode ends'),
});
export type HouseholdConfig = z.infer<typeof HouseholdConfig>;

export const HOUSEHOLD_DEFAULTS: HouseholdConfig = {
  id: 'household',
  taskTypes: [...HOUSEHOLD_TASK_TYPES],
  maxTurns: 18,
};
