import type { Environment } from '../environment';
import { AlfWorldEpisode } from './episode';
import { Game } from './game';
import { readGameFile, type GameFile } from './game-file';
import { LogicCache, splitTask, withTask } from './logic';
import { resolveOptions, type AlfWorldOptions, type ReplacementLogic } from './options';
import { RecentlyUsed } from './recently-used';
import type { AlfWorldTask } from './task';

export interface AlfWorldEnvironment extends Environment<AlfWorldTask> {
  start(task: AlfWorldTask): AlfWorldEpisode;
}

export interface AlfWorldSettings extends Partial<AlfWorldOptions> {
  /** The text of a task's `game.tw-pddl`. */
  readGame: (task: AlfWorldTask) => string;
}

/** Games kept compiled: a group's samples play the same one. */
const MOST_GAMES = 32;

/**
 * ALFWorld's text games: a house of receptacles, some of them closed, and one thing to be done in it.
 *
 * Task: a game file. Goal: one of six kinds, as its task line says. Actions: the commands that are admissible now. Reward:
 * 1 on winning, else 0. Refused (`valid` false): everything that is not admissible, answered "Nothing happens.". End: the
 * goal holds, or maxTurns. Texts, lists and rules are TextWorld's, letter by letter.
 *
 * Throws on settings that are not valid; `start` throws where the game file is not, naming file and place.
 */
export function createAlfWorld({ readGame, ...settings }: AlfWorldSettings): AlfWorldEnvironment {
  const options = resolveOptions(settings);
  const logics = new LogicCache();
  const games = new RecentlyUsed<Game>(MOST_GAMES);
  const openGame = (task: AlfWorldTask) =>
    games.get(task.game, () => compileGame(readGame(task), task.game, options.logic, logics));

  return {
    id: 'alfworld',
    version: '1',
    options: { maxTurns: options.maxTurns, logic: options.logic?.name ?? 'game file' },
    start: (task) => new AlfWorldEpisode(task, openGame(task), options),
  };
}

/** Compiles a game file's text, by its own logic or by one that stands in for it. Throws naming file and place. */
export function compileGame(
  text: string,
  file: string,
  logic: ReplacementLogic | null,
  cache: LogicCache,
): Game {
  const content = readGameFile(text, file);
  return Game.compile(logic ? withLogic(content, logic) : content, file, cache);
}

/** The same problem and task line under other rules and words, as alfworld-generate would write it. */
function withLogic(content: GameFile, { domain, grammar }: ReplacementLogic): GameFile {
  const { task } = splitTask(content.grammar);
  return {
    ...content,
    pddl_domain: domain,
    grammar: task === null ? grammar : withTask(grammar, task),
  };
}
