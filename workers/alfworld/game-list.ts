import { AppError } from '@/contract/errors';
import { compileGame } from '@/rl/environments/alfworld/alfworld';
import { readGameFile } from '@/rl/environments/alfworld/game-file';
import { LogicCache } from '@/rl/environments/alfworld/logic';
import {
  alfWorldTask,
  reasonByPath,
  reasonBySolvable,
  type AlfWorldFolder,
  type AlfWorldTask,
  type LeftOutReason,
} from '@/rl/environments/alfworld/task';
import { splitHash } from '@/rl/environments/split-hash';
import type { GameStore, StoredGame } from './game-store';

/** A game that is not played, and why. */
export interface LeftOutGame {
  game: string;
  reason: LeftOutReason;
  /** What is wrong with an unreadable file. */
  detail: string | null;
}

/** The games of a folder that are played, sorted by path, and those that are not. */
export interface GameList {
  folder: AlfWorldFolder;
  tasks: AlfWorldTask[];
  /** Names the list of tasks; order matters. */
  hash: string;
  leftOut: LeftOutGame[];
}

/**
 * Lists a folder's games by upstream's filter. Upstream takes them in the order of the file system; here they are sorted
 * by path, so that the list and its hash are the same on every machine. `thorough` also compiles each game, so that one
 * whose rules or words are malformed is left out now rather than met in a run.
 */
export function listGames(
  store: GameStore,
  folder: AlfWorldFolder,
  { thorough = false }: { thorough?: boolean } = {},
): GameList {
  const logics = new LogicCache();
  const tasks: AlfWorldTask[] = [];
  const leftOut: LeftOutGame[] = [];
  for (const stored of store.list(folder)) {
    const refused = judge(stored, store, thorough ? logics : null);
    if (refused) leftOut.push({ game: stored.game, ...refused });
    else tasks.push(alfWorldTask(stored.game));
  }
  return { folder, tasks, hash: splitHash(tasks), leftOut };
}

function judge(
  { game, hasFile }: StoredGame,
  store: GameStore,
  logics: LogicCache | null,
): Pick<LeftOutGame, 'reason' | 'detail'> | null {
  const byPath = reasonByPath(game) ?? (hasFile ? null : 'no game file');
  if (byPath) return { reason: byPath, detail: null };
  try {
    const text = store.read(game);
    const reason = reasonBySolvable(readGameFile(text, game).solvable);
    if (!reason && logics) compileGame(text, game, null, logics);
    return reason && { reason, detail: null };
  } catch (error) {
    if (error instanceof AppError) return { reason: 'unreadable', detail: error.message };
    throw error;
  }
}

/** How many games were left out for each reason. */
export function countReasons(leftOut: readonly LeftOutGame[]): Map<LeftOutReason, number> {
  const counts = new Map<LeftOutReason, number>();
  for (const { reason } of leftOut) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
}
