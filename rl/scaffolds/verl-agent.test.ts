import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Template } from '@/contract/prompt-template';
import type { VERL_AGENT_PARTS } from '@/contract/scaffold-templates';
import type { EpisodeView } from './scaffold';
import { pastTurn, viewOf } from './testing/views';
import { projectReply, verlAgent } from './verl-agent';

function contentOf(
  view: EpisodeView,
  historyTurns = 2,
  template?: Template<typeof VERL_AGENT_PARTS>,
): string {
  return verlAgent({ id: 'verl-agent', historyTurns, template }).prompt(view)[0]?.content ?? '';
}

describe('verl-agent', () => {
  it('is one message of the user with the last two turns, counted from the first', () => {
    const past = [1, 2, 3].map((i) => pastTurn(i, 'x', `act ${i}`));
    const content = contentOf(viewOf({ past }));
    expect(content).toContain(
      'You have taken 3 action(s). The last 2, each after what you saw:\n' +
        "[Observation 2: 'Sight 2.', Action 2: 'act 2']\n[Observation 3: 'Sight 3.', Action 3: 'act 3']\n" +
        'This is action 4. You see: You see a desk 1.',
    );
    expect(content).not.toContain('Sight 1.');
  });

  it('has no past before the first turn, nor where none is wanted', () => {
    expect(contentOf(viewOf())).not.toContain('You have taken');
    expect(contentOf(viewOf({ past: [pastTurn(1, 'x', 'look')] }), 0)).toBe(contentOf(viewOf()));
  });

  it('lists the available actions a line each, without help', () => {
    const observation = { text: 'A.', availableActions: ['go to desk 1', 'help', 'look'] };
    expect(contentOf(viewOf({ observation }))).toContain("['go to desk 1'\n 'look']");
  });
});

describe('the projection of a reply', () => {
  it('is what stands in the first action tags, in lower case', () => {
    expect(
      projectReply('<think>The desk.</think>\n<ACTION> Go to Desk 1\n</Action><action>look</action>'),
    ).toEqual({
      thought: 'The desk.',
      action: 'go to desk 1',
      formatOk: true,
    });
  });

  it('is the last 30 characters where a tag is missing, counted as Python does', () => {
    expect(projectReply('<think>a</think> [ACTION] go to bed 1 [/ACTION]')).toMatchObject({
      action: '[action] go to bed 1 [/action]',
      formatOk: false,
    });
    expect(projectReply(`😀${'😀'.repeat(29)}x`).action).toBe(`${'😀'.repeat(29)}x`);
    expect(projectReply('Look').action).toBe('look');
    expect(projectReply('<action>look').action).toBe('<action>look');
  });

  it('is nothing where the first end stands before the first opening', () => {
    expect(projectReply('</action><think></think><action>look</action>')).toMatchObject({
      action: '',
      formatOk: true,
    });
  });

  it('breaks the format without both thinking tags in lower case, and still acts', () => {
    for (const reply of [
      '<action>look</action>',
      '<think>a<action>look</action>',
      'a</think><action>look</action>',
      '<THINK>a</THINK><action>look</action>',
    ])
      expect(projectReply(reply), reply).toMatchObject({ action: 'look', formatOk: false });
    expect(projectReply('<action>look</action></think><think>').formatOk).toBe(true);
  });

  it('breaks the format with any CJK character, and still acts', () => {
    expect(projectReply('<think>看</think><action>look</action>')).toMatchObject({
      action: 'look',
      formatOk: false,
    });
    expect(projectReply('<think>カ、é</think><action>look</action>').formatOk).toBe(true);
  });

  it('strips the space that Python strips', () => {
    expect(projectReply('<think></think><action>\x1c look \u2003</action>').action).toBe('look');
    expect(projectReply('<think></think><action>\ufefflook</action>').action).toBe('\ufefflook');
  });
});

const SAMPLES = join(process.env.STEPSCOPE_DATA ?? '../shared/data', 'logs', 'prompt_samples.txt');
const HEADER = /===== prompt sample \(init=(True|False)\) =====\n/;
const FIRST = /current observation is: ([\s\S]*)\nYour admissible actions[^[]*\[([\s\S]*)\]\.\n/;
const LATER =
  /task is to: ([^\n]*)\nPrior to this step, you have already taken (\d+) step[\s\S]*? the most recent (\d+) observations[^:]*: ([\s\S]*)\nYou are now at step (\d+) and your current observation is: ([\s\S]*)\nYour admissible actions[^[]*\[([\s\S]*)\]\.\n/;
const HISTORY = /\[Observation (\d+): '([\s\S]*?)', Action \d+: '([^\n]*)'\](?=\n|$)/g;

interface Sample {
  prompt: string;
  view: EpisodeView;
  /** The prompt with what its episode filled in taken out again. */
  template: string;
}

/** Cuts what a prompt's episode filled in out of it, part by part from the left. */
function withPlaceholders(prompt: string, filled: readonly [placeholder: string, text: string][]): string {
  let rest = prompt;
  let template = '';
  for (const [placeholder, text] of filled) {
    const at = rest.indexOf(text);
    template += `${rest.slice(0, at)}{${placeholder}}`;
    rest = rest.slice(at + text.length);
  }
  return template + rest;
}

function actionsOf(list: string): string[] {
  return [...list.matchAll(/'([^']*)'/g)].map(([, action = '']) => action);
}

function readFirst(prompt: string): Sample {
  const [, text = '', list = ''] = FIRST.exec(prompt) ?? [];
  const view = viewOf({ observation: { text, availableActions: actionsOf(list) } });
  const template = withPlaceholders(prompt, [
    ['current_observation', text],
    ['admissible_actions', list],
  ]);
  return { prompt, view, template };
}

function readLater(prompt: string): Sample {
  const [, goal = '', count = '', shown = '', history = '', step = '', text = '', list = ''] =
    LATER.exec(prompt) ?? [];
  const known = new Map(
    [...history.matchAll(HISTORY)].map(([, number, seen = '', action = '']) => [
      Number(number),
      { observation: { text: seen, availableActions: [] }, reply: '', action },
    ]),
  );
  const past = Array.from({ length: Number(count) }, (_, i) => known.get(i + 1) ?? pastTurn(i, '', 'gone'));
  const view = viewOf({ goal, past, observation: { text, availableActions: actionsOf(list) } });
  const template = withPlaceholders(prompt, [
    ['task_description', goal],
    ['step_count', count],
    ['history_length', shown],
    ['action_history', history],
    ['current_step', step],
    ['current_observation', text],
    ['admissible_actions', list],
  ]);
  return { prompt, view, template };
}

describe.skipIf(!existsSync(SAMPLES))('real prompts of the verl-agent format (STEPSCOPE_DATA)', () => {
  it('come out byte by byte where the template of one is given to the others', () => {
    const [, ...parts] = readFileSync(SAMPLES, 'utf8').split(HEADER);
    // The line ends after a prompt may be the log's own.
    const prompts = (init: string) =>
      parts.flatMap((part, i) => (part === init ? [(parts[i + 1] ?? '').replace(/\n+$/, '')] : []));
    const first = prompts('True').map(readFirst);
    const later = prompts('False').map(readLater);
    expect([first.length, later.length]).toEqual([2, 6]);
    for (const given of first)
      for (const { prompt, view } of first)
        expect(contentOf(view, 2, { firstTurn: given.template })).toBe(prompt);
    for (const given of later)
      for (const { prompt, view } of later)
        expect(contentOf(view, 2, { laterTurn: given.template })).toBe(prompt);
  });
});
