import { createRandom, hashSeed, type Random } from '@/rl/random';
import { alfWorldExpert } from '../alfworld/expert';
import type { Control, ControlOutcome } from '../suite';
import type { HouseholdEnvironment, HouseholdEpisode } from './household';
import { readGoal } from './goal';
import { Searcher } from './search';
import type { HouseholdTask } from './task';

export const CONTROL_NAMES = ['random', 'search', 'planner'] as const;
export type ControlName = (typeof CONTROL_NAMES)[number];

/** Chooses each action of one episode; `accepted` is the last action unless it was refused. */
type Player = (accepted: string | null) => string;

/** Policies that learn nothing, measured beside one that does. `planner` alone sees more than the observation. */
const PLAYERS: Readonly<Record<ControlName, (episode: HouseholdEpisode, random: Random) => Player>> = {
  random: (episode, random) => () => random.pick(episode.observe().availableActions),
  search: (episode) => {
    const searcher = new Searcher(readGoal(episode.goal));
    return (accepted) => {
      searcher.notice(episode.observe(), accepted);
      return searcher.next(([first = '']) => first).action;
    };
  },
  planner: (episode) => {
    const plan = [...(alfWorldExpert.plan(episode).actions ?? [])];
    return () => plan.shift() ?? '';
  },
};

export const CONTROL_POLICIES = {
  random: 'random_offered_action',
  search: 'look_around_script',
  planner: 'full_knowledge_planner',
} as const satisfies Record<ControlName, Control['policy']>;

/** Plays each task once; a task's draws depend on the seed and the task alone. */
export function playControl(
  environment: HouseholdEnvironment,
  tasks: readonly HouseholdTask[],
  control: ControlName,
  seed: number,
): ControlOutcome<HouseholdTask>[] {
  return tasks.map((task) => {
    const episode = environment.start(task);
    const random = createRandom(hashSeed('household control', control, seed, task.id));
    const play = PLAYERS[control](episode, random);
    const outcome = { task, success: false, reward: 0, turns: 0, invalidActions: 0 };
    let accepted: string | null = null;
    for (let done = false; !done;) {
      const action = play(accepted);
      const result = episode.step(action);
      accepted = result.valid ? action : null;
      outcome.turns++;
      outcome.reward += result.reward;
      if (result.success) outcome.success = true;
      if (!result.valid) outcome.invalidActions++;
      done = result.done;
    }
    return outcome;
  });
}
