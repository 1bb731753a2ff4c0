import type { AgentGymConfig, AgentGymGame } from '@/contract/environments/agentgym';
import { AppError } from '@/contract/errors';
import type { EnvironmentSuite } from '@/rl/environments/suite';
import { AgentGymClient } from './client';
import { createAgentGym } from './environment';
import { splitTasks, trainTask, type AgentGymTask } from './task';

/** What AgentGym's servers call themselves. */
const SERVED_NAMES: Record<AgentGymGame, string> = { babyai: 'BabyAI', alfworld: 'AlfWorld' };

/**
 * The AgentGym server of a run's config. Throws where there is none at the address or it serves another environment: a
 * run whose every episode would fail is better not begun. There are no controls: a control plays without waiting, and a
 * server is waited for.
 */
export async function openAgentGym(config: AgentGymConfig): Promise<EnvironmentSuite<AgentGymTask>> {
  const { game, address, timeoutS, maxTurns, compat } = config;
  const client = new AgentGymClient({ address, timeoutS });
  const served = await client.served();
  if (served !== SERVED_NAMES[game])
    throw new AppError(
      'invalid_input',
      `${client.address} serves ${served}; the run asks for ${game}, ${SERVED_NAMES[game]} on a server`,
      [
        {
          path: 'environment.address',
          message: `expected a server of ${SERVED_NAMES[game]}, found ${served}`,
        },
      ],
    );
  return {
    environment: createAgentGym(client, game, { maxTurns, ...(compat === 'agentgym' && { compat }) }),
    splitTasks: (split, count) => splitTasks(game, split, count),
    trainTask: (draw) => trainTask(game, draw),
    controls: [],
  };
}
