import { describe, expect, it } from 'vitest';
import type { ChatReply } from '@/contract/endpoint';
import type { ChatMessage } from '@/contract/engine';
import { toolCall } from '@/rl/scaffolds/tool-call';
import { endpointMessages, replyText } from './chat-messages';
import { END, readMessages, TEXT_TOKENS, withoutEnd } from './text-tokens';

const messages: ChatMessage[] = [
  { role: 'system', content: 'Act.\nuser x\n' },
  { role: 'user', content: '' },
  {
    role: 'assistant',
    content: '<think>\nhm\n</think>\n\n<tool_call>\n{"name": "turn_left", "arguments": {}}\n</tool_call>',
  },
  { role: 'tool', name: 'alfworld_step', content: 'A wall: 🧱.' },
];

describe('messages as tokens', () => {
  it('are read back letter by letter', () => {
    expect(readMessages(TEXT_TOKENS.encodeChat(messages))).toEqual(messages);
  });

  it('go on from each other where a conversation does', () => {
    const shorter = TEXT_TOKENS.renderChat(messages.slice(0, 2));
    const reply = (messages[2]?.content ?? '') + String.fromCharCode(END);
    expect(TEXT_TOKENS.renderChat(messages).startsWith(shorter + reply)).toBe(true);
  });

  it('hold no end but their own', () => {
    const content = withoutEnd(`a${String.fromCharCode(END)}user \nb`);
    expect(readMessages(TEXT_TOKENS.encodeChat([{ role: 'user', content }]))).toEqual([
      { role: 'user', content: 'a\ufffduser \nb' },
    ]);
    expect(() => readMessages(TEXT_TOKENS.encode('hello'))).toThrow('does not end where a reply begins');
  });
});

const reply = (changes: Partial<ChatReply>): ChatReply => ({
  content: '',
  reasoning: null,
  toolCalls: [],
  stopReason: 'stop',
  usage: null,
  ...changes,
});

describe('a reply as text', () => {
  const { parse } = toolCall({ id: 'tool-call' });
  const call = { id: 'x', name: 'turn_left', arguments: '{}' };

  it('is read by the scaffold as the model meant it', () => {
    expect(parse(replyText(reply({ reasoning: 'a <think> b', toolCalls: [call] }), true))).toEqual({
      thought: 'a  b',
      action: 'turn left',
      formatOk: true,
    });
    expect(parse(replyText(reply({ content: 'I turn.', toolCalls: [call] }), true)).action).toBe('turn left');
  });

  it('breaks the format with two calls, with arguments that are no JSON and without a call', () => {
    expect(parse(replyText(reply({ toolCalls: [call, call] }), true)).formatOk).toBe(false);
    expect(parse(replyText(reply({ toolCalls: [{ ...call, arguments: '{' }] }), true)).formatOk).toBe(false);
    expect(parse(replyText(reply({ content: 'turn_left' }), true)).formatOk).toBe(false);
  });

  it('leaves thinking out where no tools are', () => {
    expect(replyText(reply({ reasoning: 'Action: no', content: 'Action: yes' }), false)).toBe('Action: yes');
  });
});

describe('a conversation for an API', () => {
  const options = { hasTools: true, replaysReasoning: false };
  const toolCalls = [{ id: 'call-2', name: 'turn_left', arguments: '{}' }];

  it('gives tool calls apart, and thinking back only where that is asked for', () => {
    expect(endpointMessages(messages, options).slice(2)).toEqual([
      { role: 'assistant', content: '', toolCalls },
      { role: 'tool', content: 'A wall: 🧱.', name: 'turn_left', toolCallId: 'call-2' },
    ]);
    expect(endpointMessages(messages, { ...options, replaysReasoning: true })[2]).toEqual({
      role: 'assistant',
      content: '',
      reasoning: 'hm',
      toolCalls,
    });
  });

  it('has the user tell what answers no call', () => {
    const broken: ChatMessage[] = [
      { role: 'assistant', content: 'eh' },
      { role: 'tool', content: 'You see a wall.' },
    ];
    expect(endpointMessages(broken, options)).toEqual([
      { role: 'assistant', content: 'eh' },
      { role: 'user', content: 'You see a wall.' },
    ]);
  });
});
