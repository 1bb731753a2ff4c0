import type { ChatMessage } from '@/contract/engine';
import { TOOL_CALL_PARTS } from '@/contract/scaffold-templates';
import type { ScaffoldConfigOf } from '@/contract/scaffolds';
import type { Scaffold } from './scaffold';
import { sixTools, TOOL_TEXTS } from './six-tools';
import { wordingOf, type WordingTexts } from './template';

const TEXTS: WordingTexts<typeof TOOL_CALL_PARTS> = {
  system:
    'You act in a grid world to reach a goal. Think about what you see, then call exactly one tool; its response tells what you see next. Go on until the goal is reached.',
  task: 'Your goal: {goal}\n\nYou see now:\n{observation}',
  toolResponse: '{observation}',
  ...TOOL_TEXTS,
};

/**
 * Six tools in a chat that only grows, with thinking between the calls: system, task, then replies and tool responses in
 * turn. A reply without a valid call is answered by a tool response too.
 */
export function toolCall({ historyTurns, toolNames, template }: ScaffoldConfigOf<'tool-call'>): Scaffold {
  const wording = wordingOf(TOOL_CALL_PARTS, TEXTS, template);
  const tools = sixTools(toolNames, wording);
  return {
    id: 'tool-call',
    history: historyTurns === undefined ? 'extends' : 'rebuilt',
    tools: tools.specifications,
    prompt({ goal, past, observation }) {
      const shown = past.slice(historyTurns === undefined ? 0 : -historyTurns);
      const first = shown[0]?.observation ?? observation;
      const turns = shown.flatMap(({ reply }, i): ChatMessage[] => {
        const seen = shown[i + 1]?.observation ?? observation;
        return [
          { role: 'assistant', content: reply },
          { role: 'tool', content: wording.toolResponse({ goal, observation: seen.text }) },
        ];
      });
      return [
        { role: 'system', content: wording.system({}) },
        { role: 'user', content: wording.task({ goal, observation: first.text }) },
        ...turns,
      ];
    },
    parse: tools.parse,
    write: tools.write,
  };
}
