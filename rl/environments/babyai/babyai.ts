import type { Environment, Observation } from '../environment';
import { BabyAiEpisode } from './episode';
import { resolveOptions, type BabyAiSettings } from './options';
import type { BabyAiTask } from './task';

export interface BabyAiEnvironment extends Environment<BabyAiTask> {
  start(task: BabyAiTask): BabyAiEpisode;
}

/**
 * BabyAI as AgentGym tells it: layouts bit-identical to Minigrid 3.1 by seed, AgentGym's text, actions and reward.
 *
 * Reward: 1 - 0.9 * primitive steps / maxSteps on success, else 0. An action is refused (`valid` false) where it is
 * empty or not offered. Throws on settings and tasks that are not valid.
 */
export function createBabyAi(settings: BabyAiSettings = {}): BabyAiEnvironment {
  const options = resolveOptions(settings);
  return {
    id: 'babyai',
    version: '1',
    options: { ...options },
    start: (task) => new BabyAiEpisode(task, options),
  };
}

/** The whole text AgentGym sends for an observation; `goal` is given for the first one only. */
export function agentGymText(observation: Observation, goal: string | null): string {
  const actions = observation.availableActions.map((action) => `"${action}"`).join(', ');
  const first = goal === null ? '' : `Your goal: ${goal}\n`;
  return `${first}${observation.text}\nAvailable actions: [${actions}]`;
}
