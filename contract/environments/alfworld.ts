import { z } from 'zod';
import type { Split } from '../trajectory';

/** The task types that ALFWorld plays, by the names of its folders. */
export const ALFWORLD_TASK_TYPES = [
  'pick_and_place_simple',
  'look_at_obj_in_light',
  'pick_clean_then_place_in_recep',
  'pick_heat_then_place_in_recep',
  'pick_cool_then_place_in_recep',
  'pick_two_obj_and_place',
] as const;
export type AlfWorldTaskType = (typeof ALFWORLD_TASK_TYPES)[number];

/** Games of each split that upstream's filter leaves. */
export const ALFWORLD_SPLIT_SIZES = {
  train: 3553,
  valid_seen: 140,
  valid_unseen: 134,
} as const satisfies Record<Split, number>;

/** ALFWorld's own games, from the data of the worker. Descriptions are the form's texts. */
export const AlfWorldConfig = z.strictObject({
  id: z.literal('alfworld'),
  taskTypes: z
    .array(z.enum(ALFWORLD_TASK_TYPES))
    .min(1)
    .refine((types) => new Set(types).size === types.length, 'expected each task type once')
    .describe('Task types whose games training draws from, all games alike'),
  maxTurns: z.int().min(1).max(200).describe('Turns after which an episode ends'),
});
export type AlfWorldConfig = z.infer<typeof AlfWorldConfig>;

export const ALFWORLD_DEFAULTS: AlfWorldConfig = {
  id: 'alfworld',
  taskTypes: [...ALFWORLD_TASK_TYPES],
  maxTurns: 50,
};
