import { describe, expect, it } from 'vitest';
import { history10 } from './history-10';
import { pastTurn, viewOf } from './testing/views';

describe('history-10', () => {
  const scaffold = history10({ id: 'history-10' });
  const contentOf = (turns: number) =>
    scaffold.prompt(
      viewOf({ past: Array.from({ length: turns }, (_, i) => pastTurn(i, 'reply text', 'toggle')) }),
    )[1]?.content ?? '';

  it('is a system message and one of the user, which ends with what is seen', () => {
    expect(scaffold.prompt(viewOf()).map(({ role }) => role)).toEqual(['system', 'user']);
    expect(contentOf(0)).toBe('Your goal: find the mug\n\nYou see now:\nYou see a desk 1.');
    expect(contentOf(1)).toBe(
      'Your goal: find the mug\n\n' +
        'Your last 1 tool calls, oldest first, each after what you saw then:\n' +
        'Sight 0.\n<tool_call>\n{"name": "toggle", "arguments": {}}\n</tool_call>\n\n' +
        'You see now:\nYou see a desk 1.',
    );
  });

  it('holds ten turns at most, the last ones', () => {
    const content = contentOf(13);
    expect(content.split('<tool_call>')).toHaveLength(11);
    expect(content).not.toContain('Sight 2.');
    expect(content).toContain('Sight 3.');
    expect(content).toContain('Sight 12.');
  });

  it('shows calls, not what was thought, and says where a reply held none', () => {
    const past = [pastTurn(0, '<think>a long thought</think>', ''), pastTurn(1, 'x', 'fly')];
    const content = scaffold.prompt(viewOf({ past }))[1]?.content ?? '';
    expect(content).not.toContain('a long thought');
    expect(content.split('(no valid tool call)')).toHaveLength(3);
  });
});
