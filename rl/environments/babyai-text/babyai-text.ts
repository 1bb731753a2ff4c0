import type { Environment } from '../environment';
import { BabyAiTextEpisode } from './episode';
import { resolveOptions, type BabyAiTextSettings } from './options';
import type { BabyAiTextTask } from './task';

export interface BabyAiTextEnvironment extends Environment<BabyAiTextTask> {
  start(task: BabyAiTextTask): BabyAiTextEpisode;
}

/**
 * BabyAI-Text (Carta et al. 2023): one room, or two with a locked door between, told in sentences and walked in single
 * steps.
 *
 * Task: a level, a task type and a layout seed; the layout is upstream's, bit for bit. Goal: go to, pick up, open, put next
 * to, or pick up one thing and go to another, in a stated order. Observation: upstream's descriptions of the 7 by 7
 * cells ahead, one a line. Actions: the same six at every turn. Reward: 1 - 0.9 * steps / maxSteps on success, else 0,
 * maxSteps 64 or 128. Refused (`valid` false): any action that is none of the six. End: success, maxSteps or maxTurns.
 *
 * Throws on settings and tasks that are not valid.
 */
export function createBabyAiText(settings: BabyAiTextSettings = {}): BabyAiTextEnvironment {
  const options = resolveOptions(settings);
  return {
    id: 'babyai-text',
    version: '1',
    options: { ...options },
    start: (task) => new BabyAiTextEpisode(task, options),
  };
}
