import type { ChatMessage, ToolSpecification } from '@/contract/engine';
import { LAB_TOOL_PARTS } from '@/contract/scaffold-templates';
import type { ScaffoldConfigOf } from '@/contract/scaffolds';
import type { Observation } from '../environments/environment';
import type { EpisodeView, ParsedReply, PastTurn, Scaffold } from './scaffold';
import { listActions, wordingOf, type Wording, type WordingTexts } from './template';
import { onlyCallText, readToolCall } from './tool-calls';

const TOOL = 'alfworld_step';

/** Sent where a reply holds no valid call: the environment counts the turn and refuses it. */
const INVALID_CALL = '__invalid_tool_call__';

const TEXTS: WordingTexts<typeof LAB_TOOL_PARTS> = {
  system:
    'You act in a home, told in text, to fulfil a task in as few actions as you can. At each turn, think about the task, all that has happened, what you see now and the available actions; then call alfworld_step exactly once and wait for its answer. Names of things end in a number that belongs to them; copy them letter by letter. The world decides when the task is done.',
  task: 'Task: {goal}\n\nYou see now:\n{observation}{action_list}\n\nCall alfworld_step exactly once.',
  toolResponse: 'Action {number}: {status}\n\nYou see now:\n{observation}{action_list}',
  won: 'The task is done.',
  ended: 'The episode is over and the task is not done.',
  invalidFormat: 'Your reply held no valid call of alfworld_step, so nothing was done.',
  inadmissible: 'That action is not available now, so nothing was done. Choose one that is.',
  executed: 'Done.',
  actionList: '\n\nAvailable actions, to be copied letter by letter:\n{available_actions}',
  availableAction: '- {action}',
  actionSeparator: '\n',
  tool: 'Takes one action in the home. Its forms: go to <place>, open <place>, close <place>, take <thing> from <place>, move <thing> to <place> (put <thing> in/on <place> where the list says so), clean <thing> with <place>, heat <thing> with <place>, cool <thing> with <place>, use <thing>, slice <thing> with <thing>, examine <name>, inventory, look.',
  actionArgument: 'One action, spelled and numbered as the world does, and nothing else.',
};

/**
 * One tool in a chat that only grows: system, task, then replies and tool responses with a status in turn. After
 * agentic-rl-lab's ALFWorld (`08-alfworld/protocol.py`).
 */
export function labTool({ actionList, template }: ScaffoldConfigOf<'lab-tool'>): Scaffold {
  const wording = wordingOf(LAB_TOOL_PARTS, TEXTS, template);

  function listOf({ availableActions }: Observation): string {
    const actions = availableActions.filter((action) => action !== 'help').map(canonical);
    if (!actionList || actions.length === 0) return '';
    return wording.actionList({ available_actions: listActions(actions, wording) });
  }

  function responseTo(turn: PastTurn, number: number, observation: Observation): ChatMessage {
    const content = wording.toolResponse({
      number,
      status: statusOf(turn, wording),
      observation: observation.text,
      action_list: turn.result?.done ? '' : listOf(observation),
    });
    return { role: 'tool', name: TOOL, content };
  }

  function prompt({ goal, past, observation }: EpisodeView): ChatMessage[] {
    const first = past[0]?.observation ?? observation;
    const task = wording.task({ goal, observation: first.text, action_list: listOf(first) });
    const turns = past.flatMap((turn, i): ChatMessage[] => [
      { role: 'assistant', content: turn.reply },
      responseTo(turn, i + 1, past[i + 1]?.observation ?? observation),
    ]);
    return [{ role: 'system', content: wording.system({}) }, { role: 'user', content: task }, ...turns];
  }

  return {
    id: 'lab-tool',
    history: 'extends',
    tools: [specification(wording)],
    prompt,
    parse: parseLabCall,
    write: writeLabCall,
  };
}

/** As Qwen3.5's chat template writes a call. */
function writeLabCall(thought: string, action: string): string {
  return `${thought}\n<tool_call>\n<function=${TOOL}>\n<parameter=action>\n${action}\n</parameter>\n</function>\n</tool_call>`;
}

function specification(wording: Wording<typeof LAB_TOOL_PARTS>): ToolSpecification {
  const action = { type: 'string', description: wording.actionArgument({}) };
  const parameters = { type: 'object', properties: { action }, required: ['action'] };
  return { type: 'function', function: { name: TOOL, description: wording.tool({}), parameters } };
}

/** What came of a turn, the gravest first. The two of an ended episode are seen by whoever is shown a whole one. */
function statusOf(turn: PastTurn, wording: Wording<typeof LAB_TOOL_PARTS>): string {
  const { observation, reply, action, result } = turn;
  if (result?.success) return wording.won({});
  if (result?.done) return wording.ended({});
  if (!parseLabCall(reply).formatOk) return wording.invalidFormat({});
  if (!observation.availableActions.includes(action)) return wording.inadmissible({});
  return wording.executed({});
}

const XML_CALL = /^<function=alfworld_step>\s*<parameter=action>([\s\S]*?)<\/parameter>\s*<\/function>$/i;

/**
 * Exactly one `<tool_call>`, which ends the reply, as Qwen3.5's XML or as JSON; its action is one line, given in lower
 * case with spaces squeezed. Anything else breaks the format.
 */
export function parseLabCall(reply: string): ParsedReply {
  const text = onlyCallText(reply);
  const written = text && writtenAction(text.body);
  const action = written ? canonical(written) : '';
  if (!text || !written || action === '' || /[\n\r]/.test(written.trim()))
    return { thought: reply.trim() || null, action: INVALID_CALL, formatOk: false };
  return { thought: text.before || null, action, formatOk: true };
}

function writtenAction(body: string): string | null {
  const xml = XML_CALL.exec(body)?.[1];
  if (xml !== undefined) return xml;
  const call = readToolCall(body);
  const action = call?.name === TOOL ? call.arguments.action : null;
  return typeof action === 'string' ? action : null;
}

function canonical(action: string): string {
  return action.trim().toLowerCase().split(/\s+/).join(' ');
}
