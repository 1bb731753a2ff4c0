import { AppError } from '@/contract/errors';
import { requireValidOptions } from '../settings';

/** How the environment departs from BabyAI-Text. `UPSTREAM_OPTIONS` departs nowhere. */
export interface BabyAiTextOptions {
  /** Turns after which an episode ends; null for none but the level's own step limit, as upstream. */
  maxTurns: number | null;
  /**
   * An action that is none of the six is answered with the list of them and moves nothing, at the cost of a turn.
   * Upstream takes numbers, not texts; what is none of its six is played as its seventh action, `done`: a step of the
   * world that changes nothing but counts.
   */
  refuseUnknownActions: boolean;
}

const DEFAULT_OPTIONS: Readonly<BabyAiTextOptions> = { maxTurns: 30, refuseUnknownActions: true };

/** BabyAI-Text's own behaviour. */
const UPSTREAM_OPTIONS: Readonly<BabyAiTextOptions> = { maxTurns: null, refuseUnknownActions: false };

/** Options with a base to depart from: our defaults, or BabyAI-Text where `compat` says so. */
export type BabyAiTextSettings = Partial<BabyAiTextOptions> & { compat?: 'upstream' };

/** Every option with its value. Throws, naming it, where a setting is unknown or its value is not valid. */
export function resolveOptions({ compat, ...given }: BabyAiTextSettings): BabyAiTextOptions {
  if (compat !== undefined && compat !== 'upstream') {
    throw new AppError('invalid_input', `compat must be upstream or left out, got ${String(compat)}`);
  }
  requireValidOptions('BabyAI-Text', DEFAULT_OPTIONS, given);
  return { ...(compat === 'upstream' ? UPSTREAM_OPTIONS : DEFAULT_OPTIONS), ...given };
}
