import { describe, expect, it } from 'vitest';
import { playReplies, unitTokenizer } from './scaffolds/testing/corridor';
import { openScaffold } from './scaffolds/registry';
import { toldCalls } from './told-calls';

const CALL = '<tool_call>\n{"name": "turn_left", "arguments": {}}\n</tool_call>';

describe('a trajectory told anew', () => {
  it.each([
    { id: 'recent-actions', recentActions: 2 },
    { id: 'react', rules: 'none', parser: 'one-action', actionList: 'every-turn' },
    { id: 'tool-call' },
    { id: 'history-10' },
    { id: 'verl-agent', historyTurns: 2 },
  ] as const)('has the prompts and replies it was played with: $id', async (config) => {
    const scaffold = openScaffold(config);
    const replies = [0, 1, 2].map(() => scaffold.write?.('I look.', 'turn left') ?? '');
    const { trajectory, calls } = await playReplies(scaffold, replies);
    const told = toldCalls(trajectory, scaffold);
    expect(told.map(({ reply }) => reply)).toEqual(replies);
    expect(told.map(({ messages }) => unitTokenizer.encodeChat(messages))).toEqual(
      calls.map(({ prompt }) => prompt),
    );
  });

  it('tells a memory after the turn it was written after, and leaves out one that was not written anew', async () => {
    const scaffold = openScaffold({ id: 'working-memory', historyTurns: 10 });
    // Left open, the second memory breaks the format: the first is kept.
    const replies = [CALL, 'The door is left.', CALL, '<think>', CALL];
    const { trajectory, calls } = await playReplies(scaffold, replies, { turns: 3 });
    const told = toldCalls(trajectory, scaffold);
    expect(told.map(({ call, turn, reply }) => [call, turn, reply])).toEqual([
      ['action', 0, CALL],
      ['memory', 0, 'The door is left.'],
      ['action', 1, CALL],
      ['action', 2, CALL],
    ]);
    const played = calls.filter((_, index) => index !== 3).map(({ prompt }) => prompt);
    expect(told.map(({ messages }) => unitTokenizer.encodeChat(messages))).toEqual(played);
  });
});
