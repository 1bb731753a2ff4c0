import { describe, expect, it } from 'vitest';
import { splitThought } from './think';
import { onlyCallText, readToolCall } from './tool-calls';

describe('thinking', () => {
  it('is parted from what follows it', () => {
    expect(splitThought('<think>\nhm\n</think>\n\nleft')).toEqual({ thought: 'hm', rest: '\n\nleft' });
    expect(splitThought('left')).toEqual({ thought: null, rest: 'left' });
    expect(splitThought('<think></think>left')).toEqual({ thought: null, rest: 'left' });
  });

  it('may have been opened by the prompt', () => {
    expect(splitThought('hm\n</think>left')).toEqual({ thought: 'hm', rest: 'left' });
  });

  it('is refused where it is left open, or opened or closed twice', () => {
    for (const reply of [
      '<think>hm',
      'left<think>',
      '<think>a</think>b<think>',
      '<think>a<think>b</think>c',
      'a</think>b</think>c',
      'first <think>a</think>b',
    ])
      expect(splitThought(reply), reply).toBeNull();
  });
});

describe('the only tool call of a text', () => {
  it('is what stands in its tags, with what stands before', () => {
    expect(onlyCallText('So: <TOOL_CALL>\n{}\n</tool_call> \n')).toEqual({ before: 'So:', body: '{}' });
  });

  it('is none where there are two, an open one, one the wrong way round, or text after it', () => {
    for (const text of [
      '',
      '<tool_call>{}',
      '{}</tool_call>',
      '</tool_call>{}<tool_call>',
      '<tool_call>{}</tool_call><tool_call>{}</tool_call>',
      '<tool_call>{}</tool_call></tool_call>',
      '<tool_call>{}</tool_call> done',
    ])
      expect(onlyCallText(text), text).toBeNull();
  });

  it('has a name and arguments, which may be written as a string', () => {
    expect(readToolCall('{"name": "a", "arguments": {"b": 1}}')).toEqual({ name: 'a', arguments: { b: 1 } });
    expect(readToolCall('{"name": "a", "arguments": "{\\"b\\": 1}"}')).toEqual({
      name: 'a',
      arguments: { b: 1 },
    });
  });

  it('is none where it is no such object', () => {
    for (const json of [
      '',
      'null',
      '[]',
      '"a"',
      '{"name": "a"}',
      '{"name": 1, "arguments": {}}',
      '{"name": "a", "arguments": []}',
      '{"name": "a", "arguments": "[]"}',
      '{"name": "a", "arguments": {}',
      "{'name': 'a', 'arguments': {}}",
    ])
      expect(readToolCall(json), json).toBeNull();
  });
});
