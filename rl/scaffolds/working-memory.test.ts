import { describe, expect, it } from 'vitest';
import { playReplies, unitTokenizer } from './testing/corridor';
import { readMemory, workingMemory } from './working-memory';

const LEFT = '<think>hm</think><tool_call>{"name": "turn_left", "arguments": {}}</tool_call>';

describe('working-memory', () => {
  it('acts from the last memory, then writes it anew from what came of the action', async () => {
    const scaffold = workingMemory({ id: 'working-memory', historyTurns: 10 });
    const replies = [LEFT, '<think>so</think>\nI faced door 0.\n', LEFT, '<think>open', LEFT];
    const { calls, trajectory } = await playReplies(scaffold, replies, { turns: 3 });
    const prompts = calls.map(({ prompt }) => unitTokenizer.decode(prompt));
    expect(calls.map(({ call }) => call)).toEqual(['action', 'memory', 'action', 'memory', 'action']);
    expect(prompts[0]).toContain('Your notes:\n(none yet)\n\nYou see now:\nDoor 0.');
    expect(prompts[1]).toContain('Your notes so far:\n(none yet)\n\nYour last 1 tool calls');
    expect(prompts[1]).toContain('You see now:\nDoor 1.');
    expect(prompts[2]).toContain('Your notes:\nI faced door 0.\n\nYour last 1 tool calls');
    expect(prompts[4]).toContain('Your notes:\nI faced door 0.\n\nYour last 2 tool calls');
    expect(trajectory.flags).toEqual(['memory_format_error']);
    expect(trajectory.turns.map(({ memory }) => memory)).toEqual([
      'I faced door 0.',
      'I faced door 0.',
      null,
    ]);
  });

  it('shows as many turns as it is told to, or none', () => {
    const past = [0, 1, 2].map((i) => ({
      observation: { text: `Sight ${i}.`, availableActions: [] },
      reply: LEFT,
      action: 'turn left',
    }));
    const view = {
      goal: 'g',
      past,
      observation: { text: 'Now.', availableActions: [] },
      strategy: null,
      memory: null,
    };
    const shown = (historyTurns: number) =>
      workingMemory({ id: 'working-memory', historyTurns }).prompt(view)[1]?.content.split('Sight').length;
    expect([0, 2, 10].map(shown)).toEqual([1, 3, 4]);
  });
});

describe('a memory', () => {
  it('is the visible text of a reply', () => {
    expect(readMemory('<think>hm</think>\nThe key is left. ')).toBe('The key is left.');
    expect(readMemory('The key is left.')).toBe('The key is left.');
  });

  it('is none where thinking is left open or nothing is visible', () => {
    for (const reply of ['', ' \n', '<think>hm', '<think>hm</think> ', '<think>a</think>b</think>c'])
      expect(readMemory(reply), reply).toBeNull();
  });
});
