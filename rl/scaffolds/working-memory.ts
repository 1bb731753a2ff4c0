import type { ChatMessage } from '@/contract/engine';
import { WORKING_MEMORY_PARTS } from '@/contract/scaffold-templates';
import type { ScaffoldConfigOf } from '@/contract/scaffolds';
import { CALL_HISTORY_TEXTS, callHistory } from './call-history';
import type { EpisodeView, Scaffold } from './scaffold';
import { sixTools, TOOL_TEXTS } from './six-tools';
import { wordingOf, type WordingTexts } from './template';
import { splitThought } from './think';

const TEXTS: WordingTexts<typeof WORKING_MEMORY_PARTS> = {
  system:
    'You act in a grid world to reach a goal. Your notes say what you have understood so far and what you mean to do. Think, then call exactly one tool.',
  prompt: 'Your goal: {goal}\n\nYour notes:\n{memory}\n\n{history}You see now:\n{observation}',
  memorySystem:
    'You act in a grid world to reach a goal, and have just acted. Write your notes anew, as text and without a tool call: what your last actions did, what you now know of the world and of your tools, where things are, and what to do next. Your next action is chosen from these notes.',
  memoryPrompt: 'Your goal: {goal}\n\nYour notes so far:\n{memory}\n\n{history}You see now:\n{observation}',
  noMemory: '(none yet)',
  ...CALL_HISTORY_TEXTS,
  ...TOOL_TEXTS,
};

/**
 * Two calls a turn: the action from the last memory and the last turns, and, once the environment has answered, the
 * memory from the same and that answer. Each call is its own prompt.
 */
export function workingMemory(config: ScaffoldConfigOf<'working-memory'>): Scaffold {
  const { historyTurns, toolNames, template } = config;
  const wording = wordingOf(WORKING_MEMORY_PARTS, TEXTS, template);
  const tools = sixTools(toolNames, wording);

  const shown = (view: EpisodeView) => ({
    goal: view.goal,
    memory: view.memory ?? wording.noMemory({}),
    history: callHistory(view, historyTurns, wording, tools),
    observation: view.observation.text,
  });
  const messages = (system: string, content: string): ChatMessage[] => [
    { role: 'system', content: system },
    { role: 'user', content },
  ];

  return {
    id: 'working-memory',
    history: 'rebuilt',
    tools: tools.specifications,
    prompt: (view) => messages(wording.system({}), wording.prompt(shown(view))),
    parse: tools.parse,
    write: tools.write,
    memoryCall: {
      prompt: (view) => messages(wording.memorySystem({}), wording.memoryPrompt(shown(view))),
      parse: readMemory,
    },
  };
}

/** What a reply says outside its thinking. Null where thinking is left open, or nothing is said. */
export function readMemory(reply: string): string | null {
  return splitThought(reply)?.rest.trim() || null;
}
