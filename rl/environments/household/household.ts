import { HOUSEHOLD_DEFAULTS } from '@/contract/environments/household';
import { AlfWorldEpisode } from '../alfworld/episode';
import { Game } from '../alfworld/game';
import { LogicCache } from '../alfworld/logic';
import { RecentlyUsed } from '../alfworld/recently-used';
import type { Environment } from '../environment';
import { requireValidOptions } from '../settings';
import { householdGame } from './game';
import type { HouseholdTask } from './task';

export type HouseholdEpisode = AlfWorldEpisode<HouseholdTask>;

export interface HouseholdEnvironment extends Environment<HouseholdTask> {
  start(task: HouseholdTask): HouseholdEpisode;
}

export interface HouseholdOptions {
  /** Turns after which an episode ends, refused ones counted; null for no limit. */
  maxTurns: number | null;
}

const DEFAULT_OPTIONS: Readonly<HouseholdOptions> = { maxTurns: HOUSEHOLD_DEFAULTS.maxTurns };

/** Games kept compiled: a group's samples play the same one. */
const MOST_GAMES = 32;

/**
 * Household errands made up from a seed: a room of receptacles, some of them closed, and one thing to be done in it. They
 * are in the manner of ALFWorld and played by its engine, but are none of its games: rooms, objects, receptacles, rules
 * and words are this module's own.
 *
 * Task: a room, a task type and a seed. Goal: its task line. Actions: the commands that are admissible now. Reward: 1 on
 * winning, else 0. Refused (`valid` false): everything that is not admissible, answered "Nothing happens.". End: the goal
 * holds, or maxTurns.
 *
 * Throws on settings that are not valid.
 */
export function createHousehold(settings: Partial<HouseholdOptions> = {}): HouseholdEnvironment {
  requireValidOptions('household', DEFAULT_OPTIONS, settings);
  const options = { ...DEFAULT_OPTIONS, ...settings };
  const logics = new LogicCache();
  const games = new RecentlyUsed<Game>(MOST_GAMES);
  const openGame = (task: HouseholdTask) =>
    games.get(task.id, () => Game.compile(householdGame(task), task.id, logics));

  return {
    id: 'household',
    version: '1',
    options: { ...options },
    start: (task) => new AlfWorldEpisode(task, openGame(task), options),
  };
}
