import { describe, expect, it } from 'vitest';
import type { TemplateParts } from '@/contract/prompt-template';
import * as templates from '@/contract/scaffold-templates';
import { SCAFFOLDS, type ScaffoldConfig, type ScaffoldId } from '@/contract/scaffolds';
import { rowsOf } from '../learning/rows';
import { createRandom } from '../random';
import { openScaffold } from './registry';
import type { EpisodeView, Scaffold } from './scaffold';
import { playReplies, unitTokenizer } from './testing/corridor';
import { hostileText, pastTurn, viewOf } from './testing/views';

const SIX_ACTIONS = ['turn left', 'turn right', 'go forward', 'pick up', 'drop', 'toggle'];
const TEXT_ACTIONS = ['look', 'go to desk 1', 'take red ball 2 from desk 1'];

function writeCall(thought: string, action: string): string {
  const call = `{"name": ${JSON.stringify(action.replaceAll(' ', '_'))}, "arguments": {}}`;
  return `<think>\n${thought}\n</think>\n\n<tool_call>\n${call}\n</tool_call>`;
}

interface Case {
  parts: TemplateParts;
  actions: readonly string[];
  write(thought: string, action: string): string;
}

const CASES: Record<ScaffoldId, Case> = {
  'recent-actions': {
    parts: templates.RECENT_ACTIONS_PARTS,
    actions: TEXT_ACTIONS,
    write: (thought, action) => `Thought: ${thought} Action: ${action}`,
  },
  react: {
    parts: templates.REACT_PARTS,
    actions: TEXT_ACTIONS,
    write: (thought, action) => `Thought:\n${thought}\n\nAction:\n${action}`,
  },
  'tool-call': { parts: templates.TOOL_CALL_PARTS, actions: SIX_ACTIONS, write: writeCall },
  'history-10': { parts: templates.HISTORY_10_PARTS, actions: SIX_ACTIONS, write: writeCall },
  'working-memory': { parts: templates.WORKING_MEMORY_PARTS, actions: SIX_ACTIONS, write: writeCall },
  'memory-action': {
    parts: templates.MEMORY_ACTION_PARTS,
    actions: SIX_ACTIONS,
    write: (thought, action) =>
      writeCall(thought, action).replace('</think>', () => `</think>\n\n<memory>\n${thought}\n</memory>`),
  },
  'verl-agent': {
    parts: templates.VERL_AGENT_PARTS,
    actions: TEXT_ACTIONS,
    write: (thought, action) => `<think>${thought}</think>\n<action>${action}</action>`,
  },
  'lab-tool': {
    parts: templates.LAB_TOOL_PARTS,
    actions: TEXT_ACTIONS,
    write: (thought, action) =>
      `${thought}\n<tool_call>\n<function=alfworld_step>\n<parameter=action>\n${action}\n</parameter>\n</function>\n</tool_call>`,
  },
  strata: {
    parts: templates.STRATA_PARTS,
    actions: TEXT_ACTIONS,
    write: (thought, action) => `${thought}\n<action>${action}</action>`,
  },
  'listed-strategies': {
    parts: templates.RECENT_ACTIONS_PARTS,
    actions: TEXT_ACTIONS,
    write: (thought, action) => `Thought: ${thought} Action: ${action}`,
  },
};

const IDS = Object.values(SCAFFOLDS).map(({ defaults }) => defaults.id);

function open(id: ScaffoldId, changes: object = {}): Scaffold {
  const config: ScaffoldConfig = { ...SCAFFOLDS[id].defaults, ...changes };
  return openScaffold(config);
}

function textOf(messages: ReturnType<Scaffold['prompt']>): string {
  return messages.map(({ content }) => content).join('\n');
}

/** Everything that a scaffold says of a view: prompts of every call, and its tools. */
function allTextOf(scaffold: Scaffold, view: EpisodeView): string {
  const { strategyCall, memoryCall, tools } = scaffold;
  const prompts = [scaffold, strategyCall, memoryCall].map((call) => (call ? textOf(call.prompt(view)) : ''));
  return [...prompts, JSON.stringify(tools ?? [])].join('\n');
}

describe.each(IDS)('scaffold %s', (id) => {
  const { parts, actions, write } = CASES[id];
  const scaffold = open(id);

  it('bears its own id', () => {
    expect(scaffold.id).toBe(id);
  });

  it('reads the action and the thought of a well-formed reply back', () => {
    for (const action of actions)
      expect(scaffold.parse(write('The mug may be there, "behind" 1 or 2.', action))).toEqual({
        thought: 'The mug may be there, "behind" 1 or 2.',
        action,
        formatOk: true,
      });
  });

  it('reads no reply but whole ones as well-formed', () => {
    for (const reply of ['', ' \n', 'look', 'I go to desk 1.', '{"name": "turn_left", "arguments": {}}'])
      expect(scaffold.parse(reply).formatOk, reply).toBe(false);
  });

  it('reads any text without an error', () => {
    const random = createRandom(7);
    for (let i = 0; i < 1000; i++) {
      const reply = random.integer(2) ? hostileText(random) : write(hostileText(random), hostileText(random));
      const { thought, action, formatOk } = scaffold.parse(reply);
      expect(typeof action, reply).toBe('string');
      expect(thought === null || thought !== '', reply).toBe(true);
      expect(typeof formatOk).toBe('boolean');
      scaffold.memoryCall?.parse(reply);
      scaffold.strategyCall?.parse(reply);
    }
  });

  it('shows the goal, the observation and what can be done', () => {
    const view = viewOf({
      goal: 'the goal $& {goal}',
      observation: { text: 'You see {observation} $1.', availableActions: actions },
    });
    const shown = allTextOf(scaffold, view);
    expect(textOf(scaffold.prompt(view))).toContain('the goal $& {goal}');
    expect(textOf(scaffold.prompt(view))).toContain('You see {observation} $1.');
    for (const action of actions)
      expect(shown, action).toContain(actions === SIX_ACTIONS ? action.replaceAll(' ', '_') : action);
  });

  it('shows the last turn, and the strategy and the memory where it asks for them', () => {
    const action = actions[1] ?? '';
    const past = [pastTurn(1, write('I look.', action), action)];
    const shown = textOf(
      scaffold.prompt(viewOf({ past, strategy: 'first the desk', memory: 'it is on the desk' })),
    );
    expect(shown).toContain(actions === SIX_ACTIONS ? 'turn_right' : action);
    expect(shown).toContain('You see a desk 1.');
    expect(shown.includes('first the desk')).toBe(scaffold.strategyCall !== undefined);
    expect(shown.includes('it is on the desk')).toBe(scaffold.memoryCall !== undefined);
  });

  it('lets every part of its wording be replaced', () => {
    const wellFormed = write('I look.', actions[0] ?? '');
    const available = { availableActions: [...actions] };
    const turn = (changes: object) =>
      pastTurn(1, wellFormed, actions[0] ?? '', { observation: { text: 'A.', ...available }, ...changes });
    const broken = 'Action: a\nAction: b';
    const views = [
      viewOf({ observation: { text: 'B.', ...available } }),
      viewOf({
        past: [turn({}), turn({}), turn({ reply: broken, action: 'fly' })],
        observation: { text: 'C.', ...available },
      }),
      viewOf({ past: [turn({ action: 'fly' })] }),
      viewOf({ past: [turn({ result: { success: true, done: true } })] }),
      viewOf({ past: [turn({ result: { success: false, done: true } })] }),
    ];
    for (const [name, { placeholders }] of Object.entries(parts)) {
      const text = `[[${name}]]${placeholders.map((placeholder) => `{${placeholder}}`).join(' ')}`;
      const replaced = open(id, { template: { [name]: text } });
      expect(views.map((view) => allTextOf(replaced, view)).join('\n'), name).toContain(`[[${name}]]`);
    }
  });

  it('refuses a part or a placeholder that there is not, and lists those that there are', () => {
    const [name = ''] = Object.keys(parts);
    expect(() => open(id, { template: { preamble: '' } })).toThrow(
      `template: unknown part preamble; parts: ${Object.keys(parts).join(', ')}`,
    );
    expect(() => open(id, { template: { [name]: 'Look: {sight}' } })).toThrow(
      `template.${name}: unknown placeholder {sight}`,
    );
  });
});

describe.each(IDS.filter((id) => open(id).history === 'extends'))('the chat of %s', (id) => {
  const { write, actions } = CASES[id];

  it('goes on from the sampled ids, one row of training an episode', async () => {
    const random = createRandom(11);
    const replies = [write('a', actions[0] ?? ''), ...Array.from({ length: 6 }, () => hostileText(random))];
    const chats: number[][] = [];
    const scaffold = open(id);
    const listening: Scaffold = {
      ...scaffold,
      prompt(view) {
        const messages = scaffold.prompt(view);
        chats.push(unitTokenizer.encodeChat(messages));
        return messages;
      },
    };
    const { calls } = await playReplies(listening, replies, { isCut: (call) => call % 3 === 1 });
    expect(calls.map(({ prompt }) => prompt)).toEqual(chats);
    expect(calls).toHaveLength(replies.length);
    calls.slice(1).forEach(({ prompt }, i) => {
      const { prompt: before = [], reply = [] } = calls[i] ?? {};
      expect(prompt.slice(0, before.length + reply.length)).toEqual([...before, ...reply]);
    });
    const [row, ...more] = rowsOf(calls, 1);
    expect(more).toEqual([]);
    expect(row?.sampled.filter(Boolean)).toHaveLength(
      calls.reduce((sum, { reply }) => sum + reply.length, 0),
    );
  });

  it('keeps every past reply letter by letter as a message of the assistant', () => {
    const random = createRandom(13);
    const replies = Array.from({ length: 20 }, () => hostileText(random));
    const past = replies.map((reply, i) => pastTurn(i, reply, ''));
    const assistant = open(id)
      .prompt(viewOf({ past }))
      .filter(({ role }) => role === 'assistant');
    expect(assistant.map(({ content }) => content).slice(-replies.length)).toEqual(replies);
  });
});
