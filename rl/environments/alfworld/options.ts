import { AppError } from '@/contract/errors';

/** Rules and words that stand in for a game file's own, as text. */
export interface ReplacementLogic {
  /** Recorded with each evaluation: `0.5.0`. */
  name: string;
  /** PDDL domain. */
  domain: string;
  /** `.twl2` grammar; its task line is replaced by the game's. */
  grammar: string;
}

export interface AlfWorldOptions {
  /** Turns after which an episode ends, refused ones counted; null for no limit. */
  maxTurns: number | null;
  /**
   * Null plays each game by the rules and words in its file. Files of 2.1.1 say `put X in/on Y`; later ones, and those
   * played by the logic of 0.4 and after, say `move X to Y` and know `help`.
   */
  logic: ReplacementLogic | null;
}

/** What upstream's config has. */
const DEFAULT_OPTIONS: Readonly<AlfWorldOptions> = { maxTurns: 50, logic: null };

/** Every option with its value. Throws, naming it, where a setting is unknown or its value is not valid. */
export function resolveOptions(settings: Partial<AlfWorldOptions>): AlfWorldOptions {
  const unknown = Object.keys(settings).find((name) => !Object.hasOwn(DEFAULT_OPTIONS, name));
  if (unknown !== undefined) {
    const names = Object.keys(DEFAULT_OPTIONS).join(', ');
    throw new AppError('invalid_input', `There is no ALFWorld option "${unknown}". Options: ${names}`);
  }
  const options = { ...DEFAULT_OPTIONS, ...settings };
  const { maxTurns } = options;
  if (maxTurns !== null && !(Number.isSafeInteger(maxTurns) && maxTurns > 0)) {
    throw new AppError(
      'invalid_input',
      `maxTurns must be a positive integer or null, got ${String(maxTurns)}`,
    );
  }
  return options;
}
