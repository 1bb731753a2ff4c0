import type { AlfWorldTaskType } from '@/contract/environments/alfworld';
import { AppError } from '@/contract/errors';
import type { Split } from '@/contract/trajectory';
import { createRandom, hashSeed } from '@/rl/random';
import { controlsOf, type Player } from '../control';
import type { EnvironmentSuite } from '../suite';
import { createAlfWorld, type AlfWorldSettings } from './alfworld';
import type { AlfWorldEpisode } from './episode';
import { alfWorldExpert } from './expert';
import type { AlfWorldTask } from './task';

export interface AlfWorldSuiteSettings extends AlfWorldSettings {
  /** The games of each split, in the order of its list. */
  games: Readonly<Record<Split, readonly AlfWorldTask[]>>;
  /** Types that training draws from, all games of these alike. */
  taskTypes: readonly AlfWorldTaskType[];
}

/** ALFWorld with the games a run trains on and is measured on. Throws where no game of `taskTypes` is there to train on. */
export function openAlfWorld({
  games,
  taskTypes,
  ...settings
}: AlfWorldSuiteSettings): EnvironmentSuite<AlfWorldTask> {
  const environment = createAlfWorld(settings);
  const training = games.train.filter(({ taskType }) => taskTypes.includes(taskType));
  return {
    environment,
    splitTasks: (split, count) => firstTasks(games[split], split, count),
    trainTask: ({ runSeed, step, group }) => {
      if (training.length === 0) {
        throw new AppError('invalid_input', `There is no training game of the types ${taskTypes.join(', ')}`);
      }
      return createRandom(hashSeed('alfworld train task', runSeed, step, group)).pick(training);
    },
    controls: controlsOf(environment, { planner: playPlan }),
    expert: alfWorldExpert,
  };
}

function firstTasks(tasks: readonly AlfWorldTask[], split: Split, count: number): readonly AlfWorldTask[] {
  if (count > tasks.length) {
    throw new AppError('invalid_input', `The split ${split} has ${tasks.length} games, asked for ${count}`);
  }
  return tasks.slice(0, count);
}

function playPlan(episode: AlfWorldEpisode): Player {
  const { actions } = alfWorldExpert.plan(episode);
  // Where nothing can win, looking around until the cap is as good as anything.
  return ({ length }) => actions?.[length] ?? 'look';
}
