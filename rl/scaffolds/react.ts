import type { ChatMessage } from '@/contract/engine';
import { REACT_PARTS } from '@/contract/scaffold-templates';
import type { ScaffoldConfigOf } from '@/contract/scaffolds';
import type { Observation } from '../environments/environment';
import type { EpisodeView, Scaffold } from './scaffold';
import { listActions, wordingOf, type WordingTexts } from './template';
import { countActions, parseLastAction, parseThoughtAction } from './thought-action';
import { WORLD_RULES } from './world-rules';

const TEXTS: WordingTexts<typeof REACT_PARTS> = {
  instructions: `You act in a text world to reach a goal. At each turn you are told what you see; you think, then take one action.{world_rules}

Write every reply in this form, with exactly one action:
Thought:
<what you think>

Action:
<the action>`,
  acknowledgement: 'Understood. I will think, then take one action a turn.',
  firstObservation: 'Your goal: {goal}\n{observation}{action_list}',
  laterObservation: '{observation}{action_list}',
  severalActions:
    'Your reply held several actions, so none was taken. Write exactly one.\n{observation}{action_list}',
  actionList: '\nAvailable actions: [{available_actions}]',
  availableAction: '"{action}"',
  actionSeparator: ', ',
};

/**
 * Thoughts and actions in a chat that only grows: instructions, a fixed answer to them, then observations and replies in
 * turn. The form is AgentGym's (`agentenv/envs/babyai.py`, `alfworld.py`); its texts can be given as a template.
 */
export function react({ rules, parser, actionList, template }: ScaffoldConfigOf<'react'>): Scaffold {
  const wording = wordingOf(REACT_PARTS, TEXTS, template);
  const opening: ChatMessage[] = [
    {
      role: 'user',
      content: wording.instructions({ world_rules: rules === 'none' ? '' : `\n\n${WORLD_RULES[rules]}` }),
    },
    { role: 'assistant', content: wording.acknowledgement({}) },
  ];

  function listOf({ availableActions }: Observation, isFirst: boolean): string {
    const isListed = actionList === 'every-turn' || (actionList === 'first-turn' && isFirst);
    if (!isListed || availableActions.length === 0) return '';
    return wording.actionList({ available_actions: listActions(availableActions, wording) });
  }

  function answerTo(reply: string, observation: Observation, goal: string): ChatMessage {
    const isRefused = parser === 'one-action' && countActions(reply) > 1;
    const part = isRefused ? wording.severalActions : wording.laterObservation;
    const action_list = listOf(observation, false);
    return { role: 'user', content: part({ goal, observation: observation.text, action_list }) };
  }

  function prompt({ goal, past, observation }: EpisodeView): ChatMessage[] {
    const first = past[0]?.observation ?? observation;
    const told = wording.firstObservation({
      goal,
      observation: first.text,
      action_list: listOf(first, true),
    });
    const turns = past.flatMap(({ reply }, i): ChatMessage[] => [
      { role: 'assistant', content: reply },
      answerTo(reply, past[i + 1]?.observation ?? observation, goal),
    ]);
    return [...opening, { role: 'user', content: told }, ...turns];
  }

  return {
    id: 'react',
    history: 'extends',
    prompt,
    parse: parser === 'one-action' ? parseThoughtAction : parseLastAction,
    write: (thought, action) => `Thought:\n${thought}\n\nAction:\n${action}`,
  };
}
