import type { Template } from '@/contract/prompt-template';
import { RECENT_ACTIONS_PARTS } from '@/contract/scaffold-templates';
import type { Scaffold } from './scaffold';
import { listActions, wordingOf, type WordingTexts } from './template';
import { parseThoughtAction } from './thought-action';

const TEXTS: WordingTexts<typeof RECENT_ACTIONS_PARTS> = {
  prompt:
    'Your goal: {goal}\nLast actions: {last_actions}\n{observation}\nAvailable actions: [{available_actions}]',
  availableAction: '"{action}"',
  actionSeparator: ', ',
};

/**
 * One short prompt a turn: the goal, the last `count` actions, the observation and the available actions. No
 * other memory, so each turn is its own training row. Replies read `Thought: ... Action: ...`.
 */
export function recentActions(count: number, template?: Template<typeof RECENT_ACTIONS_PARTS>): Scaffold {
  const wording = wordingOf(RECENT_ACTIONS_PARTS, TEXTS, template);
  return {
    id: 'recent-actions',
    history: 'rebuilt',
    actionMarker: ' Action:',
    prompt({ goal, past, observation }) {
      const actions = count === 0 ? [] : past.slice(-count).map((turn) => turn.action || 'none');
      const content = wording.prompt({
        goal,
        last_actions: actions.length ? actions.join('; ') : 'none',
        observation: observation.text,
        available_actions: listActions(observation.availableActions, wording),
      });
      return [{ role: 'user', content }];
    },
    parse: parseThoughtAction,
    write: (thought, action) => `Thought: ${thought} Action: ${action}`,
  };
}
