import { describe, expect, it } from 'vitest';
import { rowsOf } from '@/rl/learning/rows';
import { openScaffold } from '@/rl/scaffolds/registry';
import { playReplies } from '@/rl/scaffolds/testing/corridor';
import { createTokenizer, type ChatVariables } from './hugging-face-tokenizer';
import { buildPhraseTokenizer } from './phrase-tokenizer';

/** As Qwen3's: thinking stays in the replies since the last message of the user alone, and can be switched off. */
const THINKING_TEMPLATE = `
{%- set last = namespace(user=-1) -%}
{%- for message in messages -%}
  {%- if message.role == 'user' -%}{%- set last.user = loop.index0 -%}{%- endif -%}
{%- endfor -%}
{%- for message in messages -%}
  {%- set content = message.content -%}
  {%- if message.role == 'assistant' and loop.index0 < last.user and '</think>' in content -%}
    {%- set content = content.split('</think>')[-1].lstrip('\\n') -%}
  {%- endif -%}
  {{- '<|' + message.role + '|>' + content + '<|end|>' -}}
{%- endfor -%}
{{- '<|assistant|>' -}}
{%- if enable_thinking is defined and not enable_thinking -%}{{- '<think>\\n\\n</think>\\n\\n' -}}{%- endif -%}`;

const react = openScaffold({
  id: 'react',
  rules: 'none',
  parser: 'one-action',
  actionList: 'every-turn',
});
const toolCall = openScaffold({ id: 'tool-call' });
const THOUGHTS = [1, 2, 3].map((turn) => `<think>\nthought ${turn}\n</think>\n\nAction: go forward`);
const ACTIONS = [1, 2, 3].map((turn) => `step ${turn}\nAction: go forward`);

function tokenizerOf(template: string | null, variables: ChatVariables = {}) {
  const { tokenizerJson, tokenizerConfig } = buildPhraseTokenizer(['Action: go forward']);
  const files = {
    'tokenizer.json': JSON.stringify(tokenizerJson),
    'tokenizer_config.json': JSON.stringify(tokenizerConfig),
    ...(template !== null && { 'chat_template.jinja': template }),
  };
  return createTokenizer('model', files, variables);
}

function play(
  scaffold: typeof react,
  replies: readonly string[],
  { tokenizer, isCut }: { tokenizer: ReturnType<typeof tokenizerOf>; isCut?: (call: number) => boolean },
) {
  return playReplies(scaffold, replies, { tokenizer, end: '<|end|>', isCut });
}

describe('the prompts of a conversation', () => {
  it('grow by exactly what was sampled and told, where the template writes the past as it was', async () => {
    const tokenizer = tokenizerOf(null);
    const { calls, trajectory } = await play(react, THOUGHTS, { tokenizer, isCut: (call) => call === 1 });
    calls.slice(1).forEach(({ prompt }, i) => {
      const before = [...(calls[i]?.prompt ?? []), ...(calls[i]?.reply ?? [])];
      expect(prompt.slice(0, before.length)).toEqual(before);
      expect(prompt.length).toBeGreaterThan(before.length);
    });
    expect(trajectory.flags).toEqual([]);
    expect(rowsOf(calls, 1)).toHaveLength(1);
  });

  it('keep the sampled ids, even where the same text has other ones', async () => {
    const phrases = tokenizerOf(null);
    // Spelt out byte by byte what the vocabulary has a phrase for.
    const bytes = { ...phrases, encode: (text: string) => [...new TextEncoder().encode(text)] };
    const tokenizer = {
      ...phrases,
      encode: (text: string) => (ACTIONS.includes(text) ? bytes : phrases).encode(text),
    };
    const { calls, trajectory } = await play(react, ACTIONS, { tokenizer });
    expect(calls[0]?.reply).not.toContain(phrases.encode('Action: go forward')[0]);
    expect(trajectory.flags).toEqual([]);
    expect(rowsOf(calls, 1)).toHaveLength(1);
  });

  it('are written anew, each a datum of its own, where the template leaves thinking out of earlier replies', async () => {
    const tokenizer = tokenizerOf(THINKING_TEMPLATE);
    const { calls, trajectory } = await play(react, THOUGHTS, { tokenizer });
    expect(trajectory.flags).toEqual(['history_rewritten']);
    expect(rowsOf(calls, 1)).toHaveLength(3);
    const last = tokenizer.decode(calls[2]?.prompt ?? []);
    expect(last).not.toContain('thought');
    expect(last.split('Action: go forward<|end|>')).toHaveLength(3);
    expect(tokenizer.decode(calls[2]?.reply ?? [])).toContain('thought 3');
  });

  it('grow with that very template where replies hold no thinking, and where tools answer them', async () => {
    const tokenizer = tokenizerOf(THINKING_TEMPLATE);
    for (const [scaffold, replies] of [
      [react, ACTIONS],
      [toolCall, THOUGHTS],
    ] as const) {
      const { calls, trajectory } = await play(scaffold, replies, { tokenizer });
      expect(trajectory.flags).toEqual([]);
      expect(rowsOf(calls, 1)).toHaveLength(1);
    }
  });

  it('open with empty thinking where thinking is off, which the template does not write into the past', async () => {
    const tokenizer = tokenizerOf(THINKING_TEMPLATE, { enable_thinking: false });
    const { calls, trajectory } = await play(react, ACTIONS, { tokenizer });
    for (const { prompt } of calls)
      expect(tokenizer.decode(prompt)).toMatch(/<\|assistant\|><think>\n\n<\/think>\n\n$/);
    expect(tokenizer.decode(calls[2]?.prompt ?? []).split('<think>')).toHaveLength(2);
    expect(trajectory.flags).toEqual(['history_rewritten']);
    expect(rowsOf(calls, 1)).toHaveLength(3);
  });

  it('have no empty thinking where thinking is on or the template decides', () => {
    for (const variables of [{}, { enable_thinking: true }])
      expect(tokenizerOf(THINKING_TEMPLATE, variables).renderChat([{ role: 'user', content: 'a' }])).toBe(
        '<|user|>a<|end|><|assistant|>',
      );
  });
});
