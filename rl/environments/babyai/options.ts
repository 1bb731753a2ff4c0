import { AppError } from '@/contract/errors';

/** How the environment departs from AgentGym. `AGENTGYM_OPTIONS` departs nowhere. */
export interface BabyAiOptions {
  /**
   * Success or failure within an action of several primitives ends the episode at once. Upstream goes on and judges the
   * last primitive alone, so a mission to open a door is lost by walking through it.
   */
  endInsideAction: boolean;
  /** Success with a reward of at most 0.5 ends the episode, as does failure. Upstream lets both go on. */
  endOnLowReward: boolean;
  /** Turns after which an episode ends; null for no limit, as upstream. */
  maxTurns: number | null;
  /** An action with `check` in it does not repeat the list that every observation ends with anyway. */
  shortCheck: boolean;
  /** Draws layouts as upstream's second reset with the same seed does; differs on levels 35, 36 and 37 alone. */
  doubleReset: boolean;
  /** Keeps the key of a locked room out of it. Upstream means to and does not; differs on levels 7 and 24 alone. */
  solvable: boolean;
}

const DEFAULT_OPTIONS: Readonly<BabyAiOptions> = {
  endInsideAction: true,
  endOnLowReward: true,
  maxTurns: 10,
  shortCheck: true,
  doubleReset: true,
  solvable: true,
};

/** AgentGym's own behaviour. */
const AGENTGYM_OPTIONS: Readonly<BabyAiOptions> = {
  endInsideAction: false,
  endOnLowReward: false,
  maxTurns: null,
  shortCheck: false,
  doubleReset: true,
  solvable: false,
};

/** Options with a base to depart from: our defaults, or AgentGym where `compat` says so. */
export type BabyAiSettings = Partial<BabyAiOptions> & { compat?: 'agentgym' };

/** Every option with its value. Throws where `maxTurns` is neither null nor a positive integer. */
export function resolveOptions(settings: BabyAiSettings): BabyAiOptions {
  const { compat, ...given } = settings;
  const options = { ...(compat === 'agentgym' ? AGENTGYM_OPTIONS : DEFAULT_OPTIONS), ...given };
  if (options.maxTurns !== null && !(Number.isSafeInteger(options.maxTurns) && options.maxTurns > 0)) {
    throw new AppError(
      'invalid_input',
      `maxTurns must be a positive integer or null, got ${options.maxTurns}`,
    );
  }
  return options;
}
