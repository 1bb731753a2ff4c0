import { HISTORY_10_PARTS } from '@/contract/scaffold-templates';
import type { ScaffoldConfigOf } from '@/contract/scaffolds';
import { CALL_HISTORY_TEXTS, callHistory } from './call-history';
import type { Scaffold } from './scaffold';
import { sixTools, TOOL_TEXTS } from './six-tools';
import { wordingOf, type WordingTexts } from './template';

const HISTORY_TURNS = 10;

const TEXTS: WordingTexts<typeof HISTORY_10_PARTS> = {
  system:
    'You act in a grid world to reach a goal. Think about what you have seen and done, then call exactly one tool.',
  prompt: 'Your goal: {goal}\n\n{history}You see now:\n{observation}',
  ...CALL_HISTORY_TEXTS,
  ...TOOL_TEXTS,
};

/**
 * One call of six tools a turn, each its own prompt: the last ten calls and what came of them stand in the message of the
 * user, so that the reply being trained is the only one of the assistant.
 */
export function history10({ toolNames, template }: ScaffoldConfigOf<'history-10'>): Scaffold {
  const wording = wordingOf(HISTORY_10_PARTS, TEXTS, template);
  const tools = sixTools(toolNames, wording);
  return {
    id: 'history-10',
    history: 'rebuilt',
    tools: tools.specifications,
    prompt(view) {
      const history = callHistory(view, HISTORY_TURNS, wording, tools);
      const content = wording.prompt({ goal: view.goal, history, observation: view.observation.text });
      return [
        { role: 'system', content: wording.system({}) },
        { role: 'user', content },
      ];
    },
    parse: tools.parse,
    write: tools.write,
  };
}
