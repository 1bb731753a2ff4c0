import { describe, expect, it } from 'vitest';
import type { Trajectory } from '@/contract/trajectory';
import { recordedCalls } from './recorded-calls';
import { openScaffold } from './scaffolds/registry';
import type { Scaffold } from './scaffolds/scaffold';
import { playReplies, unitTokenizer } from './scaffolds/testing/corridor';

const readerOf = (scaffold: Scaffold) => ({
  scaffold,
  tokenizer: unitTokenizer,
  stopTokens: [unitTokenizer.specialId('')],
});

const CALL = '<tool_call>\n{"name": "turn_left", "arguments": {}}\n</tool_call>';

async function played(scaffold: Scaffold, replies: readonly string[], turns?: number) {
  const { trajectory, calls } = await playReplies(scaffold, replies, {
    records: true,
    ...(turns !== undefined && { turns }),
  });
  return { trajectory, calls };
}

function withTurn(trajectory: Trajectory, index: number, changes: Partial<Trajectory['turns'][number]>) {
  return {
    ...trajectory,
    turns: trajectory.turns.map((turn, i) => (i === index ? { ...turn, ...changes } : turn)),
  };
}

describe('calls of a recorded trajectory', () => {
  it.each([
    { id: 'recent-actions', recentActions: 2 },
    { id: 'react', rules: 'none', parser: 'one-action', actionList: 'every-turn' },
    { id: 'tool-call' },
    { id: 'tool-call', historyTurns: 1 },
    { id: 'verl-agent', historyTurns: 2 },
  ] as const)('are, id by id, those that were made: $id', async (config) => {
    const scaffold = openScaffold(config);
    const replies = [0, 1, 2].map(() => scaffold.write?.('I look.', 'turn left') ?? '');
    const { trajectory, calls } = await played(scaffold, replies);
    expect(recordedCalls(trajectory, readerOf(scaffold))).toEqual(calls);
  });

  it('hold a strategy and the memories that were in view, so that a play through them keeps both', async () => {
    const strata = openScaffold({ id: 'strata', historyTurns: 2 });
    const acting = strata.write?.('', 'turn left') ?? '';
    const planned = await played(strata, ['<strategy>Left, then on.</strategy>', acting, acting], 2);
    const strategy = recordedCalls(planned.trajectory, readerOf(strata))[0];
    expect(strategy).toMatchObject({ call: 'strategy', prompt: planned.calls[0]?.prompt });
    expect(strata.strategyCall?.parse(unitTokenizer.decode(strategy?.reply ?? []))).toBe('Left, then on.');

    const noting = openScaffold({ id: 'working-memory', historyTurns: 10 });
    // Left open, the second memory breaks the format: the first stays in view.
    const noted = await played(noting, [CALL, 'The door is left.', CALL, '<think>', CALL], 3);
    const calls = recordedCalls(noted.trajectory, readerOf(noting));
    expect(calls.map(({ call }) => call)).toEqual(['action', 'memory', 'action', 'memory', 'action']);
    expect(calls.map(({ prompt }) => prompt)).toEqual(noted.calls.map(({ prompt }) => prompt));
    expect(
      calls.filter(({ call }) => call === 'memory').map(({ reply }) => unitTokenizer.decode(reply)),
    ).toEqual(['The door is left.', 'The door is left.']);
  });

  it('are refused by name where tokens were not recorded, are another tokenizer’s, or the prompt was another', async () => {
    const scaffold = openScaffold({ id: 'recent-actions', recentActions: 2 });
    const { trajectory } = await played(scaffold, ['Thought: a Action: turn left', 'Action: turn left']);
    const refused = (changed: Trajectory) => () => recordedCalls(changed, readerOf(scaffold));
    expect(refused(withTurn(trajectory, 1, { tokens: null }))).toThrow(
      'the tokens of turn 1 were not recorded',
    );
    const tokens = { ids: [65], texts: ['B'], logprobs: [-1] };
    expect(refused(withTurn(trajectory, 0, { tokens }))).toThrow(
      'token 65 of turn 0 was recorded as "B", which this tokenizer does not write',
    );
    const promptTokens = (trajectory.turns[1]?.promptTokens ?? 0) + 1;
    expect(refused(withTurn(trajectory, 1, { promptTokens }))).toThrow(
      `the prompt of turn 1 comes out at ${promptTokens - 1} tokens, ${promptTokens} were recorded`,
    );
  });
});
