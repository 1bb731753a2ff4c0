import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@/contract/errors';
import { ALFWORLD_FOLDERS, type AlfWorldFolder } from '@/rl/environments/alfworld/task';
import { readTar } from './tar';
import { unpackArchive } from './unpack-archive';

/** Folder of a game, and whether its game file is there. */
export interface StoredGame {
  /** Below `json_2.1.1`: `valid_seen/pick_..-429/trial_T2019..`. */
  game: string;
  hasFile: boolean;
}

/** Where game files are kept. */
export interface GameStore {
  /** Path of the folder or archive. */
  place: string;
  /** Games of a folder, sorted by path; empty where there is no such folder. */
  list(folder: AlfWorldFolder): StoredGame[];
  /** The text of a game's file. Throws AppError naming place and game where it is not there or cannot be read. */
  read(game: string): string;
}

const GAME_FILE = 'game.tw-pddl';
/** Upstream looks for games by this file. */
const TRAJECTORY_FILE = 'traj_data.json';
const RELEASE_FOLDER = 'json_2.1.1';

/** Opens a data folder (`$ALFWORLD_DATA`) or an archive of one. Throws where there is none at `path`. */
export function openGameStore(path: string): GameStore {
  if (!existsSync(path))
    throw new AppError(
      'not_found',
      `There are no ALFWorld games at ${path}: name their folder (ALFWORLD_DATA; --games for env:replay) or fetch them (npm run alfworld:download)`,
    );
  return statSync(path).isDirectory() ? openFolder(path) : openArchive(path);
}

/**
 * Whether `openGameStore` may find games at `path`, told without opening any: a folder with one of the folders of games,
 * or an archive by its name.
 */
export function mayHoldGames(path: string): boolean {
  if (!isFolder(path)) return /\.tar(\.gz|\.xz)?$/.test(path) && existsSync(path);
  const root = rootOf(path);
  return Object.keys(ALFWORLD_FOLDERS).some((folder) => isFolder(join(root, folder)));
}

function openFolder(place: string): GameStore {
  const root = rootOf(place);
  return {
    place,
    list: (folder) =>
      foldersIn(join(root, folder))
        .flatMap((name) => foldersIn(join(root, folder, name)).map((trial) => `${folder}/${name}/${trial}`))
        .map((game) => ({
          game,
          hasFile: existsSync(join(root, game, GAME_FILE)),
          isGame: existsSync(join(root, game, TRAJECTORY_FILE)),
        }))
        .filter(({ hasFile, isGame }) => hasFile || isGame)
        .map(({ game, hasFile }) => ({ game, hasFile }))
        .sort(byPath),
    read: (game) => readGame(join(root, checkedGame(game), GAME_FILE)),
  };
}

/** Where the folders of games lie in a data folder. */
function rootOf(place: string): string {
  const inRelease = join(place, RELEASE_FOLDER);
  return isFolder(inRelease) ? inRelease : place;
}

/** Names of the folders in a folder, and of links to folders; none where `path` is no folder. */
function foldersIn(path: string): string[] {
  if (!isFolder(path)) return [];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() || (entry.isSymbolicLink() && isFolder(join(path, entry.name))) ? [entry.name] : [],
  );
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Not there, or a link that leads nowhere.
    return false;
  }
}

/** A record names its game: it must not name a file outside the games. */
function checkedGame(game: string): string {
  const parts = game.split('/');
  if (parts.length === 3 && parts.every((part) => !['', '.', '..'].includes(part) && !/[\\\0]/.test(part))) {
    return game;
  }
  throw new AppError('invalid_input', `${JSON.stringify(game)} names no game: expected FOLDER/NAME/TRIAL`);
}

function readGame(path: string): string {
  if (!existsSync(path)) throw new AppError('not_found', `There is no game file ${path}`);
  // A pipe or device would be read without end.
  if (!statSync(path).isFile()) throw new AppError('invalid_input', `${path} is not a file`);
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('invalid_input', `${path} cannot be read: ${said}`, [], { cause });
  }
}

/** A tar archive, read whole into memory. */
function openArchive(place: string): GameStore {
  const files = new Map<string, Buffer>();
  const games = new Map<string, StoredGame>();
  for (const [path, bytes] of readTar(unpackArchive(place), place)) {
    const parts = path.split('/');
    const name = parts.pop();
    const game = parts.slice(-3).join('/');
    if (name !== GAME_FILE && name !== TRAJECTORY_FILE) continue;
    if (name === GAME_FILE) files.set(game, bytes);
    games.set(game, { game, hasFile: files.has(game) });
  }
  return {
    place,
    list: (folder) => [...games.values()].filter(({ game }) => game.startsWith(`${folder}/`)).sort(byPath),
    read: (game) => {
      const bytes = files.get(game);
      if (!bytes) throw new AppError('not_found', `There is no game ${game} in ${place}`);
      return bytes.toString('utf8');
    },
  };
}

function byPath(left: StoredGame, right: StoredGame): number {
  return left.game < right.game ? -1 : left.game > right.game ? 1 : 0;
}
