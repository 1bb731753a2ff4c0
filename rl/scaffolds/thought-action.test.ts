import { describe, expect, it } from 'vitest';
import { countActions, parseLastAction, parseThoughtAction } from './thought-action';

describe('a reply of thought and action', () => {
  it('gives both parts', () => {
    expect(parseThoughtAction('Thought: I see the red ball. Action: go to red ball 1')).toEqual({
      thought: 'I see the red ball.',
      action: 'go to red ball 1',
      formatOk: true,
    });
  });

  it('takes the line of the action only and drops other characters', () => {
    expect(parseThoughtAction('Action:  **turn   left**.\nand then rest').action).toBe('turn left');
    expect(parseThoughtAction('Action: put mug 1 in/on desk 1').action).toBe('put mug 1 inon desk 1');
  });

  it('finds the action on the next line, whatever space Python sees before it', () => {
    expect(parseThoughtAction('Thought:\nLeft.\n\nAction:\n\n turn left').action).toBe('turn left');
    expect(parseThoughtAction('Action:\x1c\x85\nturn left').action).toBe('turn left');
    expect(parseThoughtAction('Action:\ufeff\nturn left').action).toBe('');
  });

  it('has no action where there is none or more than one', () => {
    expect(parseThoughtAction('turn left')).toEqual({ thought: 'turn left', action: '', formatOk: false });
    expect(parseThoughtAction('Action: turn left\nAction: turn right')).toMatchObject({
      action: '',
      formatOk: false,
    });
  });

  it('has no action where the mark is emphasised, for what is left of its line is emphasis', () => {
    expect(parseThoughtAction('**Thought:**\nLeft.\n\n**Action:**\nturn left')).toEqual({
      thought: '**Thought:**\nLeft.\n\n**',
      action: '',
      formatOk: false,
    });
  });

  it('knows the mark in its own case only and leaves the case of the action', () => {
    expect(parseThoughtAction('ACTION: turn left').formatOk).toBe(false);
    expect(parseThoughtAction('action: turn left').formatOk).toBe(false);
    expect(parseThoughtAction('Action: Turn LEFT').action).toBe('Turn LEFT');
  });

  it('counts a mark within the line of another as part of it', () => {
    expect(countActions('Action: Action: turn left')).toBe(1);
    expect(countActions('Action:\nAction: turn left')).toBe(1);
    expect(countActions('Action: turn left\nAction: turn left')).toBe(2);
    expect(countActions('turn left')).toBe(0);
  });
});

describe('a reply whose last action counts', () => {
  it('gives all that follows the last mark, as it stands', () => {
    expect(parseLastAction('Thought: The desk.\n\nAction:\nput mug 1 in/on desk 1\n')).toEqual({
      thought: 'The desk.',
      action: 'put mug 1 in/on desk 1',
      formatOk: true,
    });
    expect(parseLastAction('Action: look\nAction: go to desk 1')).toEqual({
      thought: 'Action: look',
      action: 'go to desk 1',
      formatOk: true,
    });
    expect(parseLastAction('Action: look\nand think').action).toBe('look\nand think');
  });

  it('has none without a mark or with nothing after it', () => {
    expect(parseLastAction('look')).toEqual({ thought: 'look', action: '', formatOk: false });
    expect(parseLastAction('Thought: hm\nAction: ')).toEqual({ thought: 'hm', action: '', formatOk: false });
  });
});
