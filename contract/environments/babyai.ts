import { z } from 'zod';
import type { Split } from '../trajectory';

/** Levels of AgentGym's BabyAI for demonstrations, training and `valid_seen`. */
export const BABYAI_TRAINING_LEVELS = [
  'GoToLocalS8N7',
  'GoToObjDoor',
  'PickupLoc',
  'PickupDistDebug',
  'OpenDoorLoc',
  'Open',
  'UnlockLocalDist',
] as const;
/** Levels of `valid_unseen`: in no demonstration and in no training task. */
export const BABYAI_HELD_OUT_LEVELS = ['GoToDoor', 'Pickup'] as const;

/** Tasks in the fixed list of each split. */
export const BABYAI_SPLIT_SIZES = {
  train: 420,
  valid_seen: 420,
  valid_unseen: 120,
} as const satisfies Record<Split, number>;

/** BabyAI through AgentGym's text. Descriptions are the form's texts. */
export const BabyAiConfig = z.strictObject({
  id: z.literal('babyai'),
  levels: z
    .array(z.enum(BABYAI_TRAINING_LEVELS))
    .min(1)
    .refine((levels) => new Set(levels).size === levels.length, 'expected each level once')
    .describe('Levels that training draws from, uniformly'),
  maxTurns: z.int().min(1).max(200).describe('Turns after which an episode ends'),
  compat: z.enum(['none', 'agentgym']).describe('agentgym: every rule as upstream has it'),
});
export type BabyAiConfig = z.infer<typeof BabyAiConfig>;

export const BABYAI_DEFAULTS: BabyAiConfig = {
  id: 'babyai',
  levels: [...BABYAI_TRAINING_LEVELS],
  maxTurns: 10,
  compat: 'none',
};
