import { MEMORY_ACTION_PARTS } from '@/contract/scaffold-templates';
import type { ScaffoldConfigOf } from '@/contract/scaffolds';
import { CALL_HISTORY_TEXTS, callHistory } from './call-history';
import type { PastTurn, Scaffold } from './scaffold';
import { sixTools, TOOL_TEXTS } from './six-tools';
import { wordingOf, type WordingTexts } from './template';
import { splitThought } from './think';

const TEXTS: WordingTexts<typeof MEMORY_ACTION_PARTS> = {
  system:
    'You act in a grid world to reach a goal. First write your notes anew between <memory> and </memory>: what your last actions did, what you now know of the world and of your tools, where things are, and what to do next. Then call exactly one tool. You are shown these notes at your next turn.',
  prompt: 'Your goal: {goal}\n\nYour notes:\n{memory}\n\n{history}You see now:\n{observation}',
  noMemory: '(none yet)',
  ...CALL_HISTORY_TEXTS,
  ...TOOL_TEXTS,
};

const MEMORY = /<memory>([\s\S]*?)<\/memory>/;

/**
 * One call a turn that writes the memory and acts. Each call is its own prompt, with the last memory that was written and
 * the last turns. The published BabyAI-Text line found such a memory to be more like thinking than one written by itself.
 */
export function memoryAction(config: ScaffoldConfigOf<'memory-action'>): Scaffold {
  const { historyTurns, toolNames, template } = config;
  const wording = wordingOf(MEMORY_ACTION_PARTS, TEXTS, template);
  const tools = sixTools(toolNames, wording);
  return {
    id: 'memory-action',
    history: 'rebuilt',
    tools: tools.specifications,
    prompt(view) {
      const content = wording.prompt({
        goal: view.goal,
        memory: lastMemory(view.past) ?? wording.noMemory({}),
        history: callHistory(view, historyTurns, wording, tools),
        observation: view.observation.text,
      });
      return [
        { role: 'system', content: wording.system({}) },
        { role: 'user', content },
      ];
    },
    parse(reply) {
      const parsed = tools.parse(reply.replace(MEMORY, ''));
      return { ...parsed, formatOk: parsed.formatOk && memoryOf(reply) !== null };
    },
    // What a demonstrator thinks is what it would note.
    write: (thought, action) =>
      tools.write(thought, action).replace('</think>', (end) => `${end}\n\n<memory>\n${thought}\n</memory>`),
  };
}

/** What stands between the tags outside the thinking; null where nothing does. */
function memoryOf(reply: string): string | null {
  return MEMORY.exec(splitThought(reply)?.rest ?? '')?.[1]?.trim() || null;
}

function lastMemory(past: readonly PastTurn[]): string | null {
  return past.reduce<string | null>((memory, { reply }) => memoryOf(reply) ?? memory, null);
}
