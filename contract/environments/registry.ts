import { z } from 'zod';
import type { Split } from '../trajectory';
import { AGENTGYM_DEFAULTS, AGENTGYM_SPLIT_SIZES, AgentGymConfig } from './agentgym';
import { BABYAI_DEFAULTS, BABYAI_SPLIT_SIZES, BabyAiConfig } from './babyai';
import { HOUSEHOLD_DEFAULTS, HOUSEHOLD_SPLIT_SIZES, HouseholdConfig } from './household';

/** What a run plays in: an environment with its options. */
export const EnvironmentConfig = z.discriminatedUnion('id', [BabyAiConfig, HouseholdConfig, AgentGymConfig]);
export type EnvironmentConfig = z.infer<typeof EnvironmentConfig>;
export type EnvironmentId = EnvironmentConfig['id'];

interface EnvironmentEntry<Config> {
  title: string;
  /** Where a form starts when this environment is chosen. */
  defaults: Config;
  /** Tasks in the fixed list of each split. */
  splitSizes: Readonly<Record<Split, number>>;
}

/** What the form, the server and the workers know of an environment. */
export const ENVIRONMENTS: {
  [Id in EnvironmentId]: EnvironmentEntry<Extract<EnvironmentConfig, { id: Id }>>;
} = {
  babyai: { title: 'BabyAI, AgentGym’s text', defaults: BABYAI_DEFAULTS, splitSizes: BABYAI_SPLIT_SIZES },
  household: {
    title: 'Household, built-in games',
    defaults: HOUSEHOLD_DEFAULTS,
    splitSizes: HOUSEHOLD_SPLIT_SIZES,
  },
  agentgym: {
    title: 'AgentGym server, by address',
    defaults: AGENTGYM_DEFAULTS,
    splitSizes: AGENTGYM_SPLIT_SIZES[AGENTGYM_DEFAULTS.game],
  },
};

/** Tasks in the fixed list of each split of the environment a config asks for. */
export function splitSizesOf(config: EnvironmentConfig): Readonly<Record<Split, number>> {
  return config.id === 'agentgym' ? AGENTGYM_SPLIT_SIZES[config.game] : ENVIRONMENTS[config.id].splitSizes;
}
