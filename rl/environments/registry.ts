import type { EnvironmentConfig } from '@/contract/environments/registry';
import { openBabyAi } from './babyai/suite';
import { openHousehold } from './household/suite';
import type { EnvironmentSuite } from './suite';

/** Environments that need nothing but their config. */
type PureEnvironmentConfig = Extract<EnvironmentConfig, { id: 'babyai' | 'household' }>;

/** The environment of a config that needs no files and no network. */
export function openPureEnvironment(config: PureEnvironmentConfig): EnvironmentSuite {
  switch (config.id) {
    case 'babyai':
      return openBabyAi(config);
    case 'household':
      return openHousehold(config);
  }
}
