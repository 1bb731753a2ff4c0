import { createRandom, hashSeed, type Random } from '@/rl/random';
import type { Environment, Episode, StepResult, Task } from './environment';
import type { Control, ControlOutcome } from './suite';

/** An action that a control took. */
export interface ControlTurn {
  action: string;
  /** The environment did not refuse it. */
  valid: boolean;
}

/** Chooses each action of one episode, given those before it. */
export type Player = (past: readonly ControlTurn[]) => string;

/** An episode that answers at once. */
interface LocalEpisode<T extends Task> extends Episode<T> {
  step(action: string): StepResult;
}

interface LocalEnvironment<T extends Task, E extends LocalEpisode<T>> extends Environment<T> {
  start(task: T): E;
}

/** Policies beside the random one, each begun anew for every episode. `planner` alone may see more than the observation. */
export interface Players<E> {
  'look-around'?: (episode: E) => Player;
  planner?: (episode: E) => Player;
}

/** Controls of an environment: a random offered action, and the players that are given. */
export function controlsOf<T extends Task, E extends LocalEpisode<T>>(
  environment: LocalEnvironment<T, E>,
  players: Players<E>,
): Control<T>[] {
  const { 'look-around': lookAround, planner } = players;
  const control = (
    policy: Control['policy'],
    decoding: Control['decoding'],
    begin: (episode: E, random: Random) => Player,
  ): Control<T> => ({
    policy,
    decoding,
    play: (tasks, seed) =>
      tasks.map((task) => {
        const random = createRandom(hashSeed(`${environment.id} control`, 'random', seed, task.id));
        const episode = environment.start(task);
        return playOut(episode, begin(episode, random));
      }),
  });
  return [
    control('random_offered_action', 'sampled', chooseRandomly),
    ...(lookAround ? [control('look_around_script', 'greedy', lookAround)] : []),
    ...(planner ? [control('full_knowledge_planner', 'greedy', planner)] : []),
  ];
}

function chooseRandomly<T extends Task>(episode: LocalEpisode<T>, random: Random): Player {
  return () => random.pick(episode.observe().availableActions);
}

function playOut<T extends Task>(episode: LocalEpisode<T>, choose: Player): ControlOutcome<T> {
  const past: ControlTurn[] = [];
  const outcome = { task: episode.task, success: false, reward: 0, turns: 0, invalidActions: 0 };
  for (let done = false; !done;) {
    const action = choose(past);
    const result = episode.step(action);
    past.push({ action, valid: result.valid });
    outcome.turns++;
    outcome.reward += result.reward;
    outcome.success ||= result.success;
    if (!result.valid) outcome.invalidActions++;
    done = result.done;
  }
  return outcome;
}
