import { alfWorldExpert } from '../alfworld/expert';
import type { Players } from '../control';
import { readGoal } from './goal';
import type { HouseholdEpisode } from './household';
import { Searcher } from './search';

/** The household's policies that learn nothing, measured beside one that does. */
export const HOUSEHOLD_PLAYERS: Players<HouseholdEpisode> = {
  'look-around': (episode) => {
    const searcher = new Searcher(readGoal(episode.goal));
    return (past) => {
      const last = past.at(-1);
      searcher.notice(episode.observe(), last?.valid ? last.action : null);
      return searcher.next(([first = '']) => first).action;
    };
  },
  planner: (episode) => {
    const { actions } = alfWorldExpert.plan(episode);
    // What cannot be won is played to the turn cap.
    return ({ length }) => actions?.[length] ?? 'look';
  },
};
