import { describe, expect, it } from 'vitest';
import { pastTurn, viewOf } from './testing/views';
import { toolCall } from './tool-call';

const CALL = '<tool_call>\n{"name": "turn_left", "arguments": {}}\n</tool_call>';

describe('tool-call', () => {
  const scaffold = toolCall({ id: 'tool-call' });

  it('answers every reply with a tool response, one without a call too', () => {
    const past = [pastTurn(0, `<think>hm</think>${CALL}`, 'turn left'), pastTurn(1, 'eh', '')];
    const messages = scaffold.prompt(viewOf({ past }));
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
    ]);
    expect(messages[1]?.content).toBe('Your goal: find the mug\n\nYou see now:\nSight 0.');
    expect(messages[3]?.content).toBe('Sight 1.');
    expect(messages[5]?.content).toBe('You see a desk 1.');
  });

  it('holds the last turns alone where it is told so, beginning with what was seen before them', () => {
    const past = [0, 1, 2].map((number) => pastTurn(number, CALL, 'turn left'));
    const short = toolCall({ id: 'tool-call', historyTurns: 2 });
    expect(short.history).toBe('rebuilt');
    expect(short.prompt(viewOf({ past })).map(({ content }) => content)).toEqual([
      expect.any(String),
      'Your goal: find the mug\n\nYou see now:\nSight 1.',
      CALL,
      'Sight 2.',
      CALL,
      'You see a desk 1.',
    ]);
  });

  it('tells of six tools without arguments', () => {
    expect(scaffold.tools?.map((tool) => tool.function.name)).toEqual([
      'turn_left',
      'turn_right',
      'go_forward',
      'pick_up',
      'drop',
      'toggle',
    ]);
    expect(scaffold.tools?.[0]?.function.parameters).toEqual({ type: 'object', properties: {} });
  });

  it('reads a call with and without thinking', () => {
    expect(scaffold.parse(CALL)).toEqual({ thought: null, action: 'turn left', formatOk: true });
    expect(scaffold.parse(`I turn.\n${CALL}`)).toEqual({
      thought: 'I turn.',
      action: 'turn left',
      formatOk: true,
    });
    expect(scaffold.parse(`<think>maybe ${CALL}?</think>${CALL}`).formatOk).toBe(true);
  });

  it('breaks the format where thinking is open, JSON is broken, or the tool or the single call is missing', () => {
    for (const reply of [
      `<think>hm ${CALL}`,
      '<tool_call>{"name": "turn_left", "arguments": {}</tool_call>',
      '<tool_call>turn_left</tool_call>',
      '<tool_call>{"name": "fly", "arguments": {}}</tool_call>',
      '<tool_call>{"name": "toString", "arguments": {}}</tool_call>',
      '<tool_call>{"name": "turn left", "arguments": {}}</tool_call>',
      '{"name": "turn_left", "arguments": {}}',
      CALL + CALL,
      `${CALL} and go`,
    ])
      expect(scaffold.parse(reply), reply).toMatchObject({ action: '', formatOk: false });
  });

  it('takes the tool names that a config gives', () => {
    const renamed = toolCall({ id: 'tool-call', toolNames: { goForward: 'move_forward' } });
    expect(renamed.tools?.[2]?.function.name).toBe('move_forward');
    expect(renamed.parse(CALL.replace('turn_left', 'move_forward')).action).toBe('go forward');
    expect(renamed.parse(CALL.replace('turn_left', 'go_forward')).formatOk).toBe(false);
    expect(renamed.parse(CALL).action).toBe('turn left');
  });
});
