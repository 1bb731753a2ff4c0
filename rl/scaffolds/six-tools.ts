import type { ToolSpecification } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import { namedTools, type ScaffoldConfigOf, type ToolId } from '@/contract/scaffolds';
import type { ParsedReply } from './scaffold';
import type { PartText } from './template';
import { splitThought } from './think';
import { onlyCallText, readToolCall } from './tool-calls';

/** BabyAI-Text's action of each tool. */
const ACTIONS: Readonly<Record<ToolId, string>> = {
  turnLeft: 'turn left',
  turnRight: 'turn right',
  goForward: 'go forward',
  pickUp: 'pick up',
  drop: 'drop',
  toggle: 'toggle',
};

/** What each of the six tools is said to do. */
export const TOOL_TEXTS = {
  turnLeftTool: 'Turn left where you stand.',
  turnRightTool: 'Turn right where you stand.',
  goForwardTool: 'Go one step forward.',
  pickUpTool: 'Pick up the object in front of you.',
  dropTool: 'Drop what you carry in front of you.',
  toggleTool: 'Open or close the door in front of you.',
} as const;

type ToolWording = { readonly [Part in keyof typeof TOOL_TEXTS]: PartText<never> };

/** The six actions of BabyAI-Text as tools without arguments. */
export interface SixTools {
  specifications: ToolSpecification[];
  parse(reply: string): ParsedReply;
  /** A thought and the tool call of an action. Throws `invalid_input` for an action of no tool. */
  write(thought: string, action: string): string;
  /** The tool call that stands for an action; null where none does. */
  callOf(action: string): string | null;
}

export function sixTools(
  toolNames: ScaffoldConfigOf<'tool-call'>['toolNames'],
  wording: ToolWording,
): SixTools {
  const names = namedTools(toolNames);
  const tools = [
    { name: names.turnLeft, action: ACTIONS.turnLeft, description: wording.turnLeftTool({}) },
    { name: names.turnRight, action: ACTIONS.turnRight, description: wording.turnRightTool({}) },
    { name: names.goForward, action: ACTIONS.goForward, description: wording.goForwardTool({}) },
    { name: names.pickUp, action: ACTIONS.pickUp, description: wording.pickUpTool({}) },
    { name: names.drop, action: ACTIONS.drop, description: wording.dropTool({}) },
    { name: names.toggle, action: ACTIONS.toggle, description: wording.toggleTool({}) },
  ];
  const actionOf = new Map(tools.map(({ name, action }) => [name, action]));
  const nameOf = new Map(tools.map(({ name, action }) => [action, name]));
  const callOf = (action: string): string | null => {
    const name = nameOf.get(action);
    return name === undefined ? null : writeToolCall(name);
  };
  return {
    specifications: tools.map(({ name, description }) => ({
      type: 'function',
      function: { name, description, parameters: { type: 'object', properties: {} } },
    })),
    parse: (reply) => parseCall(reply, actionOf),
    write(thought, action) {
      const call = callOf(action);
      if (call === null)
        throw new AppError(
          'invalid_input',
          `"${action}" is an action of no tool; expected one of ${[...nameOf.keys()].join(', ')}`,
        );
      return `<think>\n${thought}\n</think>\n\n${call}`;
    },
    callOf,
  };
}

/** A call of a tool without arguments, as Qwen's chat templates write it. */
function writeToolCall(name: string): string {
  return `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": {}}\n</tool_call>`;
}

/**
 * Thinking if any, then exactly one tool call, which ends the reply. Thinking left open, broken JSON and a tool that
 * there is not break the format; what a call's arguments hold does not count. Tags in a closed thought are thought.
 */
function parseCall(reply: string, actionOf: ReadonlyMap<string, string>): ParsedReply {
  const parts = splitThought(reply);
  if (!parts) return { thought: reply.trim() || null, action: '', formatOk: false };
  const text = onlyCallText(parts.rest);
  const call = text && readToolCall(text.body);
  const action = call && actionOf.get(call.name);
  const thought = parts.thought ?? (text ? text.before : parts.rest.trim());
  return { thought: thought || null, action: action ?? '', formatOk: typeof action === 'string' };
}
