import type { EnvironmentConfig } from '@/contract/environments/registry';
import { openBabyAi } from './babyai/suite';
import { openBabyAiText } from './babyai-text/suite';
import { openHousehold } from './household/suite';
import type { EnvironmentSuite } from './suite';

/** Environments that need nothing but their config. */
type PureEnvironmentConfig = Extract<EnvironmentConfig, { id: 'babyai' | 'babyai-text' | 'household' }>;

/** The environment of a config that needs no files and no network. */
export function openPureEnvironment(config: PureEnvironmentConfig): EnvironmentSuite {
  switch (config.id) {
    case 'babyai':
      return openBabyAi(config);
    case 'babyai-text':
      return openBabyAiText(config);
    case 'household':
      return openHousehold(config);
  }
}
