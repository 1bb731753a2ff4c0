import { AppError } from '@/contract/errors';
import type { AgentGymGame } from '@/contract/environments/agentgym';
import type { Environment } from '@/rl/environments/environment';
import { AlfWorldPlay } from './alfworld-play';
import { BabyAiPlay } from './babyai-play';
import type { AgentGymClient } from './client';
import { AgentGymEpisode } from './episode';
import { resolveOptions, type AgentGymOptions, type AgentGymSettings } from './options';
import { conditionAfter, ServedEnvironments, type ServedEnvironment } from './served-environments';
import type { ServedPlay } from './served-play';
import type { AgentGymTask } from './task';

export interface AgentGymEnvironment extends Environment<AgentGymTask> {
  start(task: AgentGymTask): Promise<AgentGymEpisode>;
}

/**
 * The BabyAI or ALFWorld of an AgentGym server.
 *
 * Task: an AgentGym item. Goal, observation and actions: as the server tells them. Reward: the server's of each turn.
 * Success: BabyAI's text says that the task is completed, and there is a reward; ALFWorld is done, with a reward.
 * Refused (`valid` false): what the server answers with a text of refusal. End: the server's, and see AgentGymOptions.
 *
 * Its version names the rules here; the server's own is not known.
 */
export function createAgentGym(
  client: AgentGymClient,
  game: AgentGymGame,
  settings: AgentGymSettings = {},
): AgentGymEnvironment {
  const options = resolveOptions(settings);
  const environments = new ServedEnvironments(client);

  async function startIn(environment: ServedEnvironment, task: AgentGymTask): Promise<AgentGymEpisode> {
    try {
      const play = await startPlay(client, environment.id, task, options);
      return new AgentGymEpisode(task, play, { environments, environment }, options.maxTurns);
    } catch (error) {
      const condition = conditionAfter(error);
      // That the start failed is what there is to tell; a second failure would only hide it.
      if (condition !== 'lost') await environments.giveBack(environment, condition).catch(() => undefined);
      throw error;
    }
  }

  return {
    id: 'agentgym',
    version: '1',
    options: { game, ...options },
    async start(task) {
      if (task.game !== game)
        throw new AppError('invalid_input', `${task.id} is not a task of ${game}, which this server plays`);
      const environment = await environments.take();
      try {
        return await startIn(environment, task);
      } catch (error) {
        if (!environment.used || conditionAfter(error) !== 'sound') throw error;
        environments.forgetIdle();
        return startIn(await environments.take(), task);
      }
    },
  };
}

function startPlay(
  client: AgentGymClient,
  environmentId: number,
  { game, index }: AgentGymTask,
  options: AgentGymOptions,
): Promise<ServedPlay> {
  switch (game) {
    case 'babyai':
      return BabyAiPlay.start(client, environmentId, index, options);
    case 'alfworld':
      return AlfWorldPlay.start(client, environmentId, index);
  }
}
