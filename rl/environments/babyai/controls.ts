import { createRandom, hashSeed, type Random } from '@/rl/random';
import type { ControlOutcome } from '../suite';
import type { BabyAiEnvironment } from './babyai';
import type { BabyAiEpisode } from './episode';
import { babyAiExpert } from './expert/babyai-expert';
import { readGoal, type GoalParts } from './goal';
import type { BabyAiTask } from './task';

/** Begins an episode: what it gives chooses each action in turn; `past` holds the actions so far. */
type ControlPolicy = (episode: BabyAiEpisode, random: Random) => (past: readonly string[]) => string;

export type ControlName = 'random' | 'look-around' | 'planner';

/** Policies that learn nothing, measured beside one that does. `planner` alone sees more than the observation. */
const CONTROLS: Readonly<Record<ControlName, ControlPolicy>> = {
  random: (episode, random) => () => random.pick(episode.observe().availableActions),
  'look-around': (episode) => (past) => lookAround(episode, past),
  planner: (episode) => {
    const { actions } = babyAiExpert.plan(episode);
    // What cannot be won is played to the turn cap.
    return ({ length }) => actions?.[length] ?? 'turn left';
  },
};

/** Left turns in a row after which the whole surroundings have been seen. */
const TURNS_TO_SEE_ALL = 3;

/**
 * Takes the first offered action on the goal object; else, for a door, takes a key; else turns left, and after a whole
 * turn tries a door.
 */
function lookAround(episode: BabyAiEpisode, past: readonly string[]): string {
  const { availableActions } = episode.observe();
  const goal = readGoal(episode.goal);
  const onGoal = availableActions.find((action) => isOnGoal(action, goal));
  if (onGoal) return onGoal;
  const key = availableActions.find((action) => /^pickup \w+ key /.test(action));
  if (goal.verb === 'open' && key && !past.some((action) => action.startsWith('pickup'))) return key;
  const hasSeenAll =
    past.length >= TURNS_TO_SEE_ALL &&
    past.slice(-TURNS_TO_SEE_ALL).every((action) => action === 'turn left');
  const door = availableActions.find((action) => action.includes('go through'));
  return hasSeenAll && door ? door : 'turn left';
}

const OFFERED_VERBS: Record<GoalParts['verb'], string> = {
  'go to': 'go to',
  'pick up': 'pickup',
  open: 'toggle and go through',
};

function isOnGoal(action: string, { verb, color, type }: GoalParts): boolean {
  if (!action.startsWith(`${OFFERED_VERBS[verb]} `)) return false;
  if (color && !action.includes(` ${color} `)) return false;
  return type === 'object' || action.includes(` ${type} `);
}

/** Plays each task once; a task's draws depend on the seed and the task alone. */
export function playControl(
  environment: BabyAiEnvironment,
  tasks: readonly BabyAiTask[],
  control: ControlName,
  seed: number,
): ControlOutcome<BabyAiTask>[] {
  return tasks.map((task) => {
    const episode = environment.start(task);
    const random = createRandom(hashSeed('babyai control', control, seed, task.id));
    const outcome = { task, success: false, reward: 0, turns: 0, invalidActions: 0 };
    const choose = CONTROLS[control](episode, random);
    const past: string[] = [];
    for (let done = false; !done;) {
      const action = choose(past);
      const result = episode.step(action);
      past.push(action);
      outcome.turns++;
      outcome.reward += result.reward;
      if (result.success) outcome.success = true;
      if (!result.valid) outcome.invalidActions++;
      done = result.done;
    }
    return outcome;
  });
}
