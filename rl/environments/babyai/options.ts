import { AppError } from '@/contract/errors';
import { requireValidOptions } from '../settings';

/** How the environment departs from AgentGym. `AGENTGYM_OPTIONS` departs nowhere. */
export interface BabyAiOptions {
  /**
   * Success or failure within an action of several primitives ends the episode at once. Upstream goes on and judges the
   * last primitive alone, so a mission to open a door is lost by walking through it.
   */
  endInsideAction: boolean;
  /** Success with a reward of at most 0.5 ends the episode, as does failure. Upstream lets both go on. */
  endOnLowReward: boolean;
  /**
   * A success is rewarded on its own turn alone. Upstream gives its reward again for every action that moves nothing
   * until one does; seen only after a success that did not end the episode.
   */
  payOnce: boolean;
  /** Turns after which an episode ends; null for no limit, as upstream. */
  maxTurns: number | null;
  /** An action with `check` in it does not repeat the list that every observation ends with anyway. */
  shortCheck: boolean;
  /** The goal says `then` and `after you`. Upstream says `and` for both, whatever the order the mission demands. */
  tellOrder: boolean;
  /**
   * Draws layouts as upstream's second reset with the same seed does, where a locked room of the first bars objects from
   * the mission; differs on a few seeds of levels 35, 36 and 37 alone. Without it, layouts are Minigrid's own.
   */
  doubleReset: boolean;
  /** Keeps the key of a locked room out of it. Upstream means to and does not; differs on levels 7 and 24 alone. */
  solvable: boolean;
  /**
   * Level 4, where AgentGym's data index names it, plays as GoToObjS6. Upstream asks for a version of that level that
   * is not registered, and answers an error.
   */
  missingLevel: boolean;
}

const DEFAULT_OPTIONS: Readonly<BabyAiOptions> = {
  endInsideAction: true,
  endOnLowReward: true,
  payOnce: true,
  maxTurns: 10,
  shortCheck: true,
  tellOrder: true,
  doubleReset: false,
  solvable: true,
  missingLevel: true,
};

/** AgentGym's own behaviour. */
const AGENTGYM_OPTIONS: Readonly<BabyAiOptions> = {
  endInsideAction: false,
  endOnLowReward: false,
  payOnce: false,
  maxTurns: null,
  shortCheck: false,
  tellOrder: false,
  doubleReset: true,
  solvable: false,
  missingLevel: false,
};

/** Options with a base to depart from: our defaults, or AgentGym where `compat` says so. */
export type BabyAiSettings = Partial<BabyAiOptions> & { compat?: 'agentgym' };

/** Every option with its value. Throws, naming it, where a setting is unknown or its value is not valid. */
export function resolveOptions(settings: BabyAiSettings): BabyAiOptions {
  const { compat, ...given } = settings;
  if (compat !== undefined && compat !== 'agentgym') {
    throw new AppError('invalid_input', `compat must be agentgym or left out, got ${String(compat)}`);
  }
  requireValidOptions('BabyAI', DEFAULT_OPTIONS, given);
  return { ...(compat === 'agentgym' ? AGENTGYM_OPTIONS : DEFAULT_OPTIONS), ...given };
}
