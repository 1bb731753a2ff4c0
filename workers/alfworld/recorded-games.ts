import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '@/contract/errors';
import { compileGame } from '@/rl/environments/alfworld/alfworld';
import type { Game } from '@/rl/environments/alfworld/game';
import { LogicCache } from '@/rl/environments/alfworld/logic';
import type { ReplacementLogic } from '@/rl/environments/alfworld/options';
import type { TextVersion } from '@/rl/environments/alfworld/transcript';
import { openGameStore } from './game-store';

const ARCHIVE = 'games.tar.xz';
const DOMAIN_FILE = 'alfred.pddl';
const GRAMMAR_FILE = 'alfred.twl2';
/** Folders of rules and words that a `v2` transcript may have been recorded with; the first that is there is used. */
const LOGIC_FOLDERS = ['logic_0.5.0', 'logic'];

/**
 * Opens the games that transcripts were recorded from. `place` is a folder that holds `games.tar.xz` or `json_2.1.1`, that
 * folder itself, or an archive. The logic of alfworld 0.4 and after, for `v2`, is looked for there, in the folder around
 * it, and in the folders of `elsewhere`. Throws where the place has no games; the answer throws `not_found` where it
 * lacks the game, and where there is no logic.
 */
export function openRecordedGames(
  place: string,
  elsewhere: readonly string[] = [],
): (game: string, version: TextVersion) => Game {
  const archive = join(place, ARCHIVE);
  const store = openGameStore(existsSync(archive) ? archive : place);
  const logics = new LogicCache();
  let logic: ReplacementLogic | null = null;
  return (game, version) => {
    if (version === 'v2') logic ??= readLogic([place, dirname(place), ...elsewhere]);
    return compileGame(store.read(game), game, version === 'v2' ? logic : null, logics);
  };
}

/** Reads the first rules and words, `alfred.pddl` and `alfred.twl2`, that are found below some folders. */
function readLogic(folders: readonly string[]): ReplacementLogic {
  const candidates = folders.flatMap((folder) =>
    LOGIC_FOLDERS.map((name) => ({ name, path: join(folder, name) })),
  );
  const found = candidates.find(({ path }) => existsSync(join(path, GRAMMAR_FILE)));
  if (!found) {
    throw new AppError(
      'not_found',
      `A transcript of version v2 needs ${LOGIC_FOLDERS.join(' or ')} with ${DOMAIN_FILE} and ${GRAMMAR_FILE}; there is ` +
        `neither in ${folders.join(', ')}`,
    );
  }
  const read = (file: string) => readFileSync(join(found.path, file), 'utf8');
  return { name: found.name, domain: read(DOMAIN_FILE), grammar: read(GRAMMAR_FILE) };
}
