import { VERL_AGENT_PARTS } from '@/contract/scaffold-templates';
import type { ScaffoldConfigOf } from '@/contract/scaffolds';
import { pythonStrip } from '../environments/babyai/python-strip';
import type { ParsedReply, Scaffold } from './scaffold';
import { listActions, wordingOf, type WordingTexts } from './template';

const TEXTS: WordingTexts<typeof VERL_AGENT_PARTS> = {
  firstTurn: `You act in a text world. Your task: {task_description}
You see: {current_observation}
You can do one of these: [{admissible_actions}]

Think step by step about where you are and what the task still needs, within <think> </think>. Then choose one of the actions above and write it within <action> </action>.`,
  laterTurn: `You act in a text world. Your task: {task_description}
You have taken {step_count} action(s). The last {history_length}, each after what you saw:
{action_history}
This is action {current_step}. You see: {current_observation}
You can do one of these: [{admissible_actions}]

Think step by step about where you are and what the task still needs, within <think> </think>. Then choose one of the actions above and write it within <action> </action>.`,
  historyTurn: "[Observation {number}: '{observation}', Action {number}: '{action}']",
  historySeparator: '\n',
  availableAction: "'{action}'",
  actionSeparator: '\n ',
};

/**
 * One message of the user a turn, written anew: the last observations and actions, the observation and the available
 * actions without `help`. After verl-agent's ALFWorld (`prompts/alfworld.py`, `env_manager.py`).
 */
export function verlAgent({ historyTurns, template }: ScaffoldConfigOf<'verl-agent'>): Scaffold {
  const wording = wordingOf(VERL_AGENT_PARTS, TEXTS, template);
  return {
    id: 'verl-agent',
    history: 'rebuilt',
    prompt({ goal, past, observation }) {
      const current = {
        task_description: goal,
        current_observation: observation.text,
        admissible_actions: listActions(
          observation.availableActions.filter((action) => action !== 'help'),
          wording,
        ),
      };
      const last = historyTurns === 0 ? [] : past.slice(-historyTurns);
      if (last.length === 0) return [{ role: 'user', content: wording.firstTurn(current) }];
      const turns = last.map((turn, i) =>
        wording.historyTurn({
          number: past.length - last.length + i + 1,
          observation: turn.observation.text,
          action: turn.action,
        }),
      );
      const content = wording.laterTurn({
        ...current,
        step_count: past.length,
        history_length: last.length,
        action_history: turns.join(wording.historySeparator({})),
        current_step: past.length + 1,
      });
      return [{ role: 'user', content }];
    },
    parse: projectReply,
    write: (thought, action) => `<think>${thought}</think>\n<action>${action}</action>`,
  };
}

/** Characters that are sent where a reply has no action tags. */
const LAST_CHARACTERS = 30;

/**
 * verl-agent's projection (`env_package/alfworld/projection.py`): in lower case, what stands between the first
 * `<action>` and the first `</action>`, without the space around it. Where either is missing, the last 30 characters
 * are sent as they are. The format also needs both `<think>` tags, in lower case and anywhere, and no CJK character.
 */
export function projectReply(reply: string): ParsedReply {
  const lower = reply.toLowerCase();
  const start = lower.indexOf('<action>');
  const end = lower.indexOf('</action>');
  const isTagged = start >= 0 && end >= 0;
  const action = isTagged
    ? pythonStrip(lower.slice(start + '<action>'.length, end))
    : [...lower].slice(-LAST_CHARACTERS).join('');
  const isThought = reply.includes('<think>') && reply.includes('</think>');
  const formatOk = isTagged && isThought && !/[\u4e00-\u9fff]/.test(reply);
  return { thought: thoughtOf(reply), action, formatOk };
}

/** What stands in the thinking tags, else before the action; null where that is nothing. */
function thoughtOf(reply: string): string | null {
  const tagged = /<think>([\s\S]*?)<\/think>/.exec(reply)?.[1];
  return (tagged ?? reply.split(/<action>/i)[0] ?? '').trim() || null;
}
