import type { ControlTurn, Players } from '../control';
import type { BabyAiEpisode } from './episode';
import { babyAiExpert } from './expert/babyai-expert';
import { readGoal, type GoalParts } from './goal';

/** BabyAI's policies that learn nothing, measured beside one that does. */
export const BABYAI_PLAYERS: Players<BabyAiEpisode> = {
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
function lookAround(episode: BabyAiEpisode, past: readonly ControlTurn[]): string {
  const { availableActions } = episode.observe();
  const goal = readGoal(episode.goal);
  const onGoal = availableActions.find((action) => isOnGoal(action, goal));
  if (onGoal) return onGoal;
  const key = availableActions.find((action) => /^pickup \w+ key /.test(action));
  if (goal.verb === 'open' && key && !past.some(({ action }) => action.startsWith('pickup'))) return key;
  const hasSeenAll =
    past.length >= TURNS_TO_SEE_ALL &&
    past.slice(-TURNS_TO_SEE_ALL).every(({ action }) => action === 'turn left');
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
