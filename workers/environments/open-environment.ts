import type { EnvironmentConfig } from '@/contract/environments/registry';
import { openPureEnvironment } from '@/rl/environments/registry';
import type { EnvironmentSuite } from '@/rl/environments/suite';
import { openAgentGym } from '../remote/agentgym/suite';

/** The environment a run asks for, with this worker's data and servers. Throws where the worker cannot provide it. */
export function openEnvironment(config: EnvironmentConfig): EnvironmentSuite | Promise<EnvironmentSuite> {
  return config.id === 'agentgym' ? openAgentGym(config) : openPureEnvironment(config);
}
