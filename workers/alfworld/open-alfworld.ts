import { AppError } from '@/contract/errors';
import { openAlfWorld, type AlfWorldSuiteSettings } from '@/rl/environments/alfworld/suite';
import { ALFWORLD_FOLDERS, type AlfWorldFolder, type AlfWorldTask } from '@/rl/environments/alfworld/task';
import type { EnvironmentSuite } from '@/rl/environments/suite';
import type { Split } from '@/contract/trajectory';
import { listGames, type LeftOutGame } from './game-list';
import { openGameStore } from './game-store';

export interface AlfWorldFromDisk extends Omit<AlfWorldSuiteSettings, 'readGame' | 'games'> {
  /** Data folder, or an archive of one. */
  place: string;
  /** Told of the games that cannot be read, which are left out. */
  onUnreadable: (games: readonly LeftOutGame[]) => void;
}

/**
 * ALFWorld with the games of a data folder: those of `train`, `valid_seen` and `valid_unseen`; where `train` has none, as
 * in archives without it, those of `valid_train` are trained on. Throws `not_found` where there are no games at all.
 */
export function openAlfWorldFromDisk({
  place,
  onUnreadable,
  ...settings
}: AlfWorldFromDisk): EnvironmentSuite<AlfWorldTask> {
  const store = openGameStore(place);
  const unreadable: LeftOutGame[] = [];
  const tasksOf = (folder: AlfWorldFolder): AlfWorldTask[] => {
    const { tasks, leftOut } = listGames(store, folder);
    unreadable.push(...leftOut.filter(({ reason }) => reason === 'unreadable'));
    return tasks;
  };
  const train = tasksOf('train');
  const games: Record<Split, AlfWorldTask[]> = {
    train: train.length > 0 ? train : tasksOf('valid_train'),
    valid_seen: tasksOf('valid_seen'),
    valid_unseen: tasksOf('valid_unseen'),
  };
  if (unreadable.length > 0) onUnreadable(unreadable);
  if (Object.values(games).every((tasks) => tasks.length === 0)) {
    const folders = Object.keys(ALFWORLD_FOLDERS).join(', ');
    throw new AppError(
      'not_found',
      `${place} has no games in ${folders}: fetch them (npm run alfworld:download) or set ALFWORLD_DATA`,
    );
  }
  return openAlfWorld({ ...settings, games, readGame: ({ game }) => store.read(game) });
}
