import { ALFWORLD_TASK_TYPES, type AlfWorldTaskType } from '@/contract/environments/alfworld';
import { AppError } from '@/contract/errors';
import type { Split } from '@/contract/trajectory';
import type { Task } from '../environment';

/** Folders of games, and the split that each belongs to. Upstream validates on 200 games of training rooms too. */
export const ALFWORLD_FOLDERS = {
  train: 'train',
  valid_train: 'train',
  valid_seen: 'valid_seen',
  valid_unseen: 'valid_unseen',
} as const satisfies Record<string, Split>;
export type AlfWorldFolder = keyof typeof ALFWORLD_FOLDERS;

/** A game of ALFWorld. */
export interface AlfWorldTask extends Task {
  taskType: AlfWorldTaskType;
  /** Folder of the game below `json_2.1.1`: `valid_seen/pick_..-429/trial_T2019..`. */
  game: string;
}

/** The task type of a folder's name; null where ALFWorld plays none of it. */
function taskTypeOfGame(game: string): AlfWorldTaskType | null {
  const [, name = ''] = game.split('/');
  return ALFWORLD_TASK_TYPES.find((taskType) => name.startsWith(`${taskType}-`)) ?? null;
}

/** The task of a game's folder. Throws where the path is not `FOLDER/TYPE-.../trial_...` of a known folder and type. */
export function alfWorldTask(game: string): AlfWorldTask {
  const parts = game.split('/');
  const folder = Object.keys(ALFWORLD_FOLDERS).find((known): known is AlfWorldFolder => known === parts[0]);
  const taskType = taskTypeOfGame(game);
  if (!folder || !taskType || parts.length !== 3) {
    throw new AppError(
      'invalid_input',
      `Not a game of ALFWorld: ${game}. Expected FOLDER/TYPE-.../trial_..., FOLDER one of ` +
        `${Object.keys(ALFWORLD_FOLDERS).join(', ')}, TYPE one of ${ALFWORLD_TASK_TYPES.join(', ')}`,
    );
  }
  return { id: `alfworld/${game}`, taskType, split: ALFWORLD_FOLDERS[folder], game };
}

/** Why a game is not played. */
export type LeftOutReason =
  | 'movable receptacle or sliced object'
  | 'task type that is not played'
  | 'no game file'
  | 'no solvable key'
  | 'not solvable'
  | 'unreadable';

/**
 * Upstream's filter by path alone: null where the game may be played.
 *
 * Source: alfworld/agents/environment/alfred_tw_env.py, collect_game_files.
 */
export function reasonByPath(game: string): LeftOutReason | null {
  if (game.includes('movable') || game.includes('Sliced')) return 'movable receptacle or sliced object';
  return taskTypeOfGame(game) === null ? 'task type that is not played' : null;
}

/** Upstream's filter by the game file's key, which says whether its handcoded expert won. */
export function reasonBySolvable(solvable: boolean | null | undefined): LeftOutReason | null {
  if (solvable === undefined) return 'no solvable key';
  return solvable ? null : 'not solvable';
}
