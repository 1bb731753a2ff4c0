import { AppError } from '@/contract/errors';
import { requireValidOptions } from '@/rl/environments/settings';

/** How a remote play departs from what the server says. `SERVER_OPTIONS` departs nowhere. */
export interface AgentGymOptions {
  /**
   * BabyAI: a success with a reward of at most 0.5 ends the episode, as does failure. The server says `done: false` to
   * both and plays on.
   */
  endOnLowReward: boolean;
  /**
   * BabyAI: a success is rewarded on its own turn alone. The server gives its reward again for every action that moves
   * nothing until one does; seen only after a success that did not end the episode.
   */
  payOnce: boolean;
  /** Turns after which an episode ends; null for no limit but the server's own. */
  maxTurns: number | null;
}

const DEFAULT_OPTIONS: Readonly<AgentGymOptions> = { endOnLowReward: true, payOnce: true, maxTurns: 20 };

const SERVER_OPTIONS: Readonly<AgentGymOptions> = { endOnLowReward: false, payOnce: false, maxTurns: null };

/** Options with a base to depart from: our defaults, or the server's word where `compat` says so. */
export type AgentGymSettings = Partial<AgentGymOptions> & { compat?: 'agentgym' };

/** Every option with its value. Throws, naming it, where a setting is unknown or its value is not valid. */
export function resolveOptions(settings: AgentGymSettings): AgentGymOptions {
  const { compat, ...given } = settings;
  if (compat !== undefined && compat !== 'agentgym')
    throw new AppError('invalid_input', `compat must be agentgym or left out, got ${String(compat)}`);
  requireValidOptions('AgentGym', DEFAULT_OPTIONS, given);
  return { ...(compat === 'agentgym' ? SERVER_OPTIONS : DEFAULT_OPTIONS), ...given };
}
