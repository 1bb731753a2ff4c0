import { z } from 'zod';
import type { Split } from '../trajectory';
import { AGENTGYM_DEFAULTS, AGENTGYM_SPLIT_SIZES, AgentGymConfig } from './agentgym';
import { ALFWORLD_DEFAULTS, ALFWORLD_SPLIT_SIZES, AlfWorldConfig } from './alfworld';
import { BABYAI_TEXT_DEFAULTS, BabyAiTextConfig, babyAiTextSplitSizes } from './babyai-text';
import { BABYAI_DEFAULTS, BABYAI_SPLIT_SIZES, BabyAiConfig } from './babyai';
import { HOUSEHOLD_DEFAULTS, HOUSEHOLD_SPLIT_SIZES, HouseholdConfig } from './household';

/** What a run plays in: an environment with its options. */
export const EnvironmentConfig = z.discriminatedUnion('id', [
  BabyAiConfig,
  BabyAiTextConfig,
  HouseholdConfig,
  AlfWorldConfig,
  AgentGymConfig,
]);
export type EnvironmentConfig = z.infer<typeof EnvironmentConfig>;
export type EnvironmentId = EnvironmentConfig['id'];

interface EnvironmentEntry<Config> {
  title: string;
  /** Where a form starts when this environment is chosen. */
  defaults: Config;
}

/** What the form, the server and the workers know of an environment. */
export const ENVIRONMENTS: {
  [Id in EnvironmentId]: EnvironmentEntry<Extract<EnvironmentConfig, { id: Id }>>;
} = {
  babyai: { title: 'BabyAI, AgentGym’s text', defaults: BABYAI_DEFAULTS },
  'babyai-text': {
    title: 'BabyAI-Text, single steps',
    defaults: BABYAI_TEXT_DEFAULTS,
  },
  household: {
    title: 'Household, built-in games',
    defaults: HOUSEHOLD_DEFAULTS,
  },
  alfworld: {
    title: 'ALFWorld, from the worker’s data',
    defaults: ALFWORLD_DEFAULTS,
  },
  agentgym: {
    title: 'AgentGym server, by address',
    defaults: AGENTGYM_DEFAULTS,
  },
};

/** The environment whose texts and actions a config's episodes have: of a server, the one it serves. */
export function worldOf(config: EnvironmentConfig): Exclude<EnvironmentId, 'agentgym'> {
  return config.id === 'agentgym' ? config.game : config.id;
}

/** Tasks in the fixed list of each split of the environment a config asks for. */
export function splitSizesOf(config: EnvironmentConfig): Readonly<Record<Split, number>> {
  switch (config.id) {
    case 'agentgym':
      return AGENTGYM_SPLIT_SIZES[config.game];
    case 'alfworld':
      return ALFWORLD_SPLIT_SIZES;
    case 'babyai':
      return BABYAI_SPLIT_SIZES;
    case 'babyai-text':
      return babyAiTextSplitSizes(config);
    case 'household':
      return HOUSEHOLD_SPLIT_SIZES;
  }
}
