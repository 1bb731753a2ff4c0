import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@/contract/errors';
import { compileGame } from '@/rl/environments/alfworld/alfworld';
import type { Game } from '@/rl/environments/alfworld/game';
import { LogicCache } from '@/rl/environments/alfworld/logic';
import type { ReplacementLogic } from '@/rl/environments/alfworld/options';
import type { TextVersion } from '@/rl/environments/alfworld/transcript';
import { openGameStore } from './game-store';

const ARCHIVE = 'games.tar.xz';
/** Folders of rules and words that a `v2` transcript may have been recorded with; the first that is there is used. */
const LOGIC_FOLDERS = ['logic_0.5.0', 'logic'];

/**
 * Opens the games that transcripts were recorded from, below a folder that holds `games.tar.xz` or the official layout,
 * and for `v2` the logic of alfworld 0.4 and after. Throws where the folder has no games; the answer throws `not_found`
 * where it lacks the game or the logic.
 */
export function openRecordedGames(folder: string): (game: string, version: TextVersion) => Game {
  const archive = join(folder, ARCHIVE);
  const store = openGameStore(existsSync(archive) ? archive : folder);
  const logics = new LogicCache();
  let logic: ReplacementLogic | null = null;
  return (game, version) => {
    if (version === 'v2') logic ??= readLogic(folder);
    return compileGame(store.read(game), game, version === 'v2' ? logic : null, logics);
  };
}

/** Reads rules and words from a folder of `alfred.pddl` and `alfred.twl2`. */
function readLogic(folder: string): ReplacementLogic {
  const name = LOGIC_FOLDERS.find((known) => existsSync(join(folder, known, 'alfred.twl2')));
  if (name === undefined) {
    throw new AppError(
      'not_found',
      `${folder} has no ${LOGIC_FOLDERS.join(' or ')} with alfred.pddl and alfred.twl2`,
    );
  }
  const read = (file: string) => readFileSync(join(folder, name, file), 'utf8');
  return { name, domain: read('alfred.pddl'), grammar: read('alfred.twl2') };
}
