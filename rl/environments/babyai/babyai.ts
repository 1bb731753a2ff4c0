import type { Environment, Observation } from '../environment';
import { BabyAiEpisode } from './episode';
import { resolveOptions, type BabyAiSettings } from './options';
import type { BabyAiTask } from './task';

export interface BabyAiEnvironment extends Environment<BabyAiTask> {
  start(task: BabyAiTask): BabyAiEpisode;
}

/**
 * BabyAI as AgentGym tells it: a grid of rooms seen through a text of the 7 by 7 cells ahead.
 *
 * Task: a level and a layout seed; the layout is Minigrid 3.1's, bit for bit. Goal: go to, pick up, open or put next to,
 * or several of these. Actions: those each observation offers, in AgentGym's words; each is a way of primitives that
 * stops where the view no longer changes. Reward: 1 - 0.9 * primitive steps / maxSteps on success, else 0. Refused
 * (`valid` false): the empty action and any that is not offered. End: see BabyAiOptions.
 *
 * Throws on settings and tasks that are not valid.
 */
export function createBabyAi(settings: BabyAiSettings = {}): BabyAiEnvironment {
  const options = resolveOptions(settings);
  return {
    id: 'babyai',
    version: '2',
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
