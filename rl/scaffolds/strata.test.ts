import { describe, expect, it } from 'vitest';
import { strata } from './strata';
import { playReplies, unitTokenizer } from './testing/corridor';
import { pastTurn, viewOf } from './testing/views';

const scaffold = strata({ id: 'strata', historyTurns: 2 });

describe('strata', () => {
  it('writes a strategy once and shows it at every turn', async () => {
    const replies = [
      '<strategy>\nAlways forward.\n</strategy>',
      '<action>go forward</action>',
      '<action>turn left</action>',
    ];
    const { calls, trajectory } = await playReplies(scaffold, replies, { turns: 2 });
    const prompts = calls.map(({ prompt }) => unitTokenizer.decode(prompt));
    expect(calls.map(({ call }) => call)).toEqual(['strategy', 'action', 'action']);
    expect(prompts[0]).toContain('<strategy> </strategy>');
    expect(prompts[1]).toContain('Your strategy: Always forward.\nThis is action 1. You see: Door 0.');
    expect(prompts[2]).toContain(
      "Your strategy: Always forward.\nThe last 1 action(s), each after what you saw:\n[Observation 1: 'Door 0.', Action 1: 'go forward']\nThis is action 2.",
    );
    expect(trajectory.strategy).toBe('Always forward.');
  });

  it('goes on without a strategy where the reply held none', async () => {
    const { calls, trajectory } = await playReplies(scaffold, ['forward!', '<action>turn left</action>'], {
      turns: 1,
    });
    expect(unitTokenizer.decode(calls[1]?.prompt ?? [])).toContain('Your strategy: (none)\n');
    expect(trajectory).toMatchObject({ strategy: null, flags: ['strategy_format_error'] });
  });

  it('shows the last two turns, counted from the first', () => {
    const past = [1, 2, 3].map((i) => pastTurn(i, 'x', `act ${i}`));
    const content = scaffold.prompt(viewOf({ past }))[0]?.content ?? '';
    expect(content).toContain("[Observation 2: 'Sight 2.', Action 2: 'act 2']\n[Observation 3");
    expect(content).not.toContain('Sight 1.');
    const bare = strata({ id: 'strata', historyTurns: 0 }).prompt(viewOf({ past }))[0]?.content ?? '';
    expect(bare).not.toContain('Sight');
  });

  it('reads one action as it stands, and no other number of them', () => {
    expect(scaffold.parse('I go.\n<action> Go to desk 1\n</action> now')).toEqual({
      thought: 'I go.',
      action: 'Go to desk 1',
      formatOk: true,
    });
    for (const reply of [
      '<action>look</action><action>look</action>',
      '<action>look',
      'look</action>',
      '</action><action>look',
      '</action><action>look</action>',
      '<action>a<action>b</action>',
      '<action> </action>',
    ])
      expect(scaffold.parse(reply), reply).toMatchObject({ action: '', formatOk: false });
  });

  it('reads one strategy that is not empty', () => {
    const read = scaffold.strategyCall?.parse ?? (() => '');
    expect(read('So: <strategy>\nFirst the desk.\nThen the bed.</strategy>')).toBe(
      'First the desk.\nThen the bed.',
    );
    for (const reply of [
      'First the desk.',
      '<strategy>a',
      '<strategy> </strategy>',
      '<strategy>a</strategy><strategy>b</strategy>',
    ])
      expect(read(reply), reply).toBeNull();
  });
});
