import type { AlfWorldTaskType } from '@/contract/environments/alfworld';
import { AppError } from '@/contract/errors';
import type { Split } from '@/contract/trajectory';
import { createRandom, hashSeed } from '@/rl/random';
import type { Control, ControlOutcome, EnvironmentSuite } from '../suite';
import { createAlfWorld, type AlfWorldEnvironment, type AlfWorldSettings } from './alfworld';
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
    controls: [
      controlOf(environment, 'random_offered_action', 'sampled', playRandomly),
      controlOf(environment, 'full_knowledge_planner', 'greedy', playPlan),
    ],
  };
}

function firstTasks(tasks: readonly AlfWorldTask[], split: Split, count: number): readonly AlfWorldTask[] {
  if (count > tasks.length) {
    throw new AppError('invalid_input', `The split ${split} has ${tasks.length} games, asked for ${count}`);
  }
  return tasks.slice(0, count);
}

/** Gives the next action of an episode. */
type Player = () => string;

function controlOf(
  environment: AlfWorldEnvironment,
  policy: Control['policy'],
  decoding: Control['decoding'],
  open: (episode: AlfWorldEpisode, seed: number) => Player,
): Control<AlfWorldTask> {
  const play = (task: AlfWorldTask, seed: number): ControlOutcome<AlfWorldTask> => {
    const episode = environment.start(task);
    const next = open(episode, hashSeed('alfworld control', policy, seed, task.id));
    const outcome = { task, success: false, reward: 0, turns: 0, invalidActions: 0 };
    for (let done = false; !done;) {
      const result = episode.step(next());
      outcome.turns++;
      outcome.reward += result.reward;
      outcome.success ||= result.success;
      if (!result.valid) outcome.invalidActions++;
      done = result.done;
    }
    return outcome;
  };
  return { policy, decoding, play: (tasks, seed) => tasks.map((task) => play(task, seed)) };
}

function playRandomly(episode: AlfWorldEpisode, seed: number): Player {
  const random = createRandom(seed);
  return () => random.pick(episode.observe().availableActions);
}

function playPlan(episode: AlfWorldEpisode): Player {
  const plan = [...(alfWorldExpert.plan(episode).actions ?? [])];
  // Where nothing can win, looking around until the cap is as good as anything.
  return () => plan.shift() ?? 'look';
}
