import { describe, expect, it } from 'vitest';
import { memoryAction } from './memory-action';
import { pastTurn, viewOf } from './testing/views';

const scaffold = memoryAction({ id: 'memory-action', historyTurns: 1 });
const call = '<tool_call>\n{"name": "turn_left", "arguments": {}}\n</tool_call>';

describe('the memory that is written with the action', () => {
  it('is shown at the next turn, and stays where a later reply writes none', () => {
    const past = [
      pastTurn(0, `<memory>\nThe door is ahead.\n</memory>\n${call}`, 'turn left'),
      pastTurn(1, call, 'turn left'),
    ];
    const [, user] = scaffold.prompt(viewOf({ past }));
    expect(user?.content).toContain('Your notes:\nThe door is ahead.\n');
    expect(scaffold.prompt(viewOf({ past: [] }))[1]?.content).toContain('Your notes:\n(none yet)');
  });

  it('is part of the format: a reply without one acts all the same', () => {
    expect(scaffold.parse(call)).toEqual({ thought: null, action: 'turn left', formatOk: false });
    expect(scaffold.parse(`<memory> </memory>${call}`).formatOk).toBe(false);
    expect(scaffold.parse(`<think>hm</think><memory>m</memory>${call}`)).toEqual({
      thought: 'hm',
      action: 'turn left',
      formatOk: true,
    });
  });

  it('is not read out of the thinking', () => {
    expect(scaffold.parse(`<think><memory>m</memory></think>${call}`).formatOk).toBe(false);
  });
});
