import { STRATA_PARTS } from '@/contract/scaffold-templates';
import type { ScaffoldConfigOf } from '@/contract/scaffolds';
import type { EpisodeView, ParsedReply, Scaffold } from './scaffold';
import { onlyTagged } from './tagged-text';
import { listActions, wordingOf, type WordingTexts } from './template';

const TEXTS: WordingTexts<typeof STRATA_PARTS> = {
  strategyPrompt: `You are about to act in a text world. Your task: {goal}
You see: {observation}
You can do one of these now: [{available_actions}]

Before you act, decide how you will go about the whole task, and write it within <strategy> </strategy>. You will be shown it at every turn and cannot change it.`,
  prompt: `You act in a text world. Your task: {goal}
Your strategy: {strategy}
{history}This is action {number}. You see: {observation}
You can do one of these: [{available_actions}]

Follow your strategy. Choose one of the actions above and write it within <action> </action>.`,
  noStrategy: '(none)',
  history: 'The last {count} action(s), each after what you saw:\n{turns}\n',
  historyTurn: "[Observation {number}: '{observation}', Action {number}: '{action}']",
  availableAction: "'{action}'",
  actionSeparator: ', ',
};

/**
 * A strategy before the first turn, frozen for the episode, then one action a turn, each its own prompt with the last
 * turns in it. After StraTA (arXiv 2605.06642), whose prompts are not public.
 */
export function strata({ historyTurns, template }: ScaffoldConfigOf<'strata'>): Scaffold {
  const wording = wordingOf(STRATA_PARTS, TEXTS, template);

  const seen = ({ goal, observation }: EpisodeView) => ({
    goal,
    observation: observation.text,
    available_actions: listActions(observation.availableActions, wording),
  });

  function historyOf({ past }: EpisodeView): string {
    const last = historyTurns === 0 ? [] : past.slice(-historyTurns);
    if (last.length === 0) return '';
    const turns = last.map(({ observation, action }, i) => {
      const number = past.length - last.length + i + 1;
      return wording.historyTurn({ number, observation: observation.text, action });
    });
    return wording.history({ count: last.length, turns: turns.join('\n') });
  }

  return {
    id: 'strata',
    history: 'rebuilt',
    strategyCall: {
      prompt: (view) => [{ role: 'user', content: wording.strategyPrompt(seen(view)) }],
      parse: (reply) => onlyTagged(reply, 'strategy')?.text || null,
      write: (text) => `<strategy>${text}</strategy>`,
    },
    prompt(view) {
      const content = wording.prompt({
        ...seen(view),
        strategy: view.strategy ?? wording.noStrategy({}),
        history: historyOf(view),
        number: view.past.length + 1,
      });
      return [{ role: 'user', content }];
    },
    parse: parseTaggedAction,
    write: (thought, action) => `${thought}\n<action>${action}</action>`,
  };
}

/** Exactly one `<action>...</action>` that is not empty; what stands before it is the thought. */
function parseTaggedAction(reply: string): ParsedReply {
  const found = onlyTagged(reply, 'action');
  if (!found?.text) return { thought: reply.trim() || null, action: '', formatOk: false };
  return { thought: found.before || null, action: found.text, formatOk: true };
}
