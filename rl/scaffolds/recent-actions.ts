import { parseThoughtAction } from './thought-action';
import type { Scaffold } from './scaffold';

/**
 * One short prompt a turn: the goal, the last `count` actions, the observation and the available actions. No
 * other memory, so each turn is its own training row. Replies read `Thought: ... Action: ...`.
 */
export function recentActions(count: number): Scaffold {
  return {
    id: 'recent-actions',
    history: 'rebuilt',
    prompt({ goal, past, observation }) {
      const actions = count === 0 ? [] : past.slice(-count).map((turn) => turn.action || 'none');
      const offered = observation.availableActions.map((action) => `"${action}"`).join(', ');
      const content = [
        `Your goal: ${goal}`,
        `Last actions: ${actions.length ? actions.join('; ') : 'none'}`,
        observation.text,
        `Available actions: [${offered}]`,
      ].join('\n');
      return [{ role: 'user', content }];
    },
    parse: parseThoughtAction,
  };
}
