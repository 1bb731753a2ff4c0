import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '@/contract/engine';
import { SCAFFOLDS, type ScaffoldConfigOf } from '@/contract/scaffolds';
import type { Observation } from '../environments/environment';
import { react } from './react';
import { pastTurn, viewOf } from './testing/views';

function open(changes: Partial<ScaffoldConfigOf<'react'>> = {}) {
  return react({ ...SCAFFOLDS.react.defaults, ...changes });
}

const LIST = 'Available actions: ["go to desk 1", "look"]';

describe('react', () => {
  it('opens with instructions and a fixed answer, then tells the goal once', () => {
    const messages = open().prompt(viewOf({ past: [pastTurn(0, 'Action: look', 'look')] }));
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(messages[2]?.content).toBe(`Your goal: find the mug\nSight 0.\n${LIST}`);
    expect(messages[3]?.content).toBe('Action: look');
    expect(messages[4]?.content).toBe(`You see a desk 1.\n${LIST}`);
  });

  it('lists the available actions at every turn, at the first or never', () => {
    const view = viewOf({ past: [pastTurn(0, 'Action: look', 'look')] });
    const listed = (actionList: ScaffoldConfigOf<'react'>['actionList']) =>
      open({ actionList })
        .prompt(view)
        .map(({ content }) => content.includes(LIST));
    expect(listed('every-turn')).toEqual([false, false, true, false, true]);
    expect(listed('first-turn')).toEqual([false, false, true, false, false]);
    expect(listed('never')).toEqual([false, false, false, false, false]);
  });

  it('leaves the list out where an environment has none', () => {
    const view = viewOf({ observation: { text: 'Dark.', availableActions: [] } });
    expect(open().prompt(view)[2]?.content).toBe('Your goal: find the mug\nDark.');
  });

  it('says that a reply of several actions was not taken, unless the last of them is', () => {
    const view = viewOf({ past: [pastTurn(0, 'Action: look\nAction: look', '')] });
    expect(open().prompt(view)[4]?.content).toContain('several actions, so none was taken');
    expect(open({ parser: 'last-action' }).prompt(view)[4]?.content).toBe(`You see a desk 1.\n${LIST}`);
  });

  it('tells the rules of a world where it is asked to', () => {
    expect(open().prompt(viewOf())[0]?.content).not.toContain('microwave');
    expect(open({ rules: 'household' }).prompt(viewOf())[0]?.content).toContain('microwave');
  });

  it('writes the list as AgentGym does for ALFWorld where a template says so', () => {
    const template = {
      firstObservation: '{observation}{action_list}',
      actionList: '\nAVAILABLE ACTIONS: {available_actions}',
      availableAction: '{action}',
      actionSeparator: ',',
    };
    const scaffold = open({ parser: 'last-action', actionList: 'first-turn', template });
    expect(scaffold.prompt(viewOf())[2]?.content).toBe(
      'You see a desk 1.\nAVAILABLE ACTIONS: go to desk 1,look',
    );
  });
});

const LOG = join(
  process.env.STEPSCOPE_DATA ?? '../shared/data',
  'logs',
  'agentgym_babyai_trajectories.jsonl',
);

interface LoggedChat {
  item_id: string;
  conversations: ChatMessage[];
}

/** AgentGym's text of a turn, taken apart as our environment gives it. */
function readObservation(content: string): { goal: string | null; observation: Observation } {
  const [, goal, text, list] =
    /^(?:Your goal: (.*)\n)?([\s\S]*)\nAvailable actions: \[(.*)\]$/.exec(content) ?? [];
  if (text === undefined || list === undefined) throw new Error(`not an observation: ${content}`);
  const availableActions = [...list.matchAll(/"([^"]*)"/g)].map(([, action = '']) => action);
  return { goal: goal ?? null, observation: { text, availableActions } };
}

describe.skipIf(!existsSync(LOG))('real chats of AgentGym’s BabyAI (STEPSCOPE_DATA)', () => {
  const chats = existsSync(LOG)
    ? readFileSync(LOG, 'utf8')
        .trim()
        .split('\n')
        .map((line): LoggedChat => JSON.parse(line) as LoggedChat)
    : [];

  it('come out byte by byte where the published opening is given as a template', () => {
    let turns = 0;
    for (const { conversations, item_id } of chats) {
      const [instructions, acknowledgement, ...played] = conversations;
      const scaffold = open({
        template: { instructions: instructions?.content, acknowledgement: acknowledgement?.content },
      });
      const told = played
        .filter(({ role }) => role === 'user')
        .map(({ content }) => readObservation(content));
      const replies = played.filter(({ role }) => role === 'assistant').map(({ content }) => content);
      const past = replies.map((reply, i) => ({
        observation: told[i]?.observation ?? { text: '', availableActions: [] },
        reply,
        action: scaffold.parse(reply).action,
      }));
      const observation = told[replies.length]?.observation;
      if (!observation) throw new Error(`${item_id} does not end with an observation`);
      const messages = scaffold.prompt(viewOf({ goal: told[0]?.goal ?? '', past, observation }));
      expect(messages).toEqual(conversations.map(({ role, content }) => ({ role, content })));
      turns += past.length;
    }
    expect(turns).toBeGreaterThan(40);
  });

  it('hold replies that all read back as what the environment was sent', () => {
    for (const { conversations } of chats)
      conversations.slice(2).forEach(({ role, content }, i, played) => {
        if (role !== 'assistant') return;
        const { action } = open().parse(content);
        const answer = played[i + 1]?.content ?? '';
        const { observation } = readObservation(played[i - 1]?.content ?? '');
        const isRefused = /not recognized|No change in state/.test(answer);
        expect(
          observation.availableActions.includes(action) || isRefused || action.includes('check'),
          action,
        ).toBe(true);
      });
  });
});
