import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { AppError } from '@/contract/errors';
import type { AlfWorldFolder } from '@/rl/environments/alfworld/task';
import { readTar } from './tar';

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
  /** The text of a game's file. Throws `not_found` naming place and game. */
  read(game: string): string;
}

const GAME_FILE = 'game.tw-pddl';
/** Upstream looks for games by this file. */
const TRAJECTORY_FILE = 'traj_data.json';
const RELEASE_FOLDER = 'json_2.1.1';
/** The largest archive of games unpacks to a fraction of it. */
const MOST_UNPACKED_BYTES = 2 ** 30;

/** Opens a data folder (`$ALFWORLD_DATA`) or an archive of one. Throws where there is none at `path`. */
export function openGameStore(path: string): GameStore {
  if (!existsSync(path)) throw new AppError('not_found', `There are no ALFWorld games at ${path}`);
  return statSync(path).isDirectory() ? openFolder(path) : openArchive(path);
}

function openFolder(place: string): GameStore {
  const inRelease = join(place, RELEASE_FOLDER);
  const root = existsSync(inRelease) ? inRelease : place;
  const foldersIn = (path: string) =>
    existsSync(path)
      ? readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
          entry.isDirectory() ? [entry.name] : [],
        )
      : [];
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
    read: (game) => {
      const path = join(root, game, GAME_FILE);
      if (!existsSync(path)) throw new AppError('not_found', `There is no game file ${path}`);
      return readFileSync(path, 'utf8');
    },
  };
}

/** A tar archive, read whole into memory. */
function openArchive(place: string): GameStore {
  const files = new Map<string, Buffer>();
  const games = new Map<string, StoredGame>();
  for (const [path, bytes] of readTar(unpack(place), place)) {
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

/** The tar archive in a `.tar`, `.tar.xz` or `.tar.gz`. Node knows gzip; for xz the system's program is used. */
function unpack(path: string): Buffer {
  if (path.endsWith('.tar')) return readFileSync(path);
  if (path.endsWith('.gz')) return gunzipSync(readFileSync(path), { maxOutputLength: MOST_UNPACKED_BYTES });
  if (!path.endsWith('.xz')) {
    throw new AppError('invalid_input', `${path}: expected a folder, .tar, .tar.xz or .tar.gz`);
  }
  const { error, status, stdout, stderr } = spawnSync('xz', ['-dc', '--', path], {
    maxBuffer: MOST_UNPACKED_BYTES,
  });
  if (error) {
    const advice = `${path} needs the program xz (Debian: apt install xz-utils), or unpack it by hand`;
    throw new AppError('unavailable', `${advice}: ${error.message}`, [], { cause: error });
  }
  if (status === 0) return stdout;
  throw new AppError('invalid_input', `${path} cannot be unpacked: ${stderr.toString('utf8').trim()}`);
}

function byPath(left: StoredGame, right: StoredGame): number {
  return left.game < right.game ? -1 : left.game > right.game ? 1 : 0;
}
