import { describe, expect, it } from 'vitest';
import { listedStrategies } from './listed-strategies';
import { playReplies, unitTokenizer } from './testing/corridor';

const scaffold = listedStrategies({
  id: 'listed-strategies',
  recentActions: 2,
  strategies: [{ strategy: 'I look around.' }, { strategy: 'I try a door.' }],
});

describe('listed strategies', () => {
  it('are chosen once and shown with the goal at every turn', async () => {
    const replies = [' I try a door.', 'Thought: now Action: go forward', 'Action: turn left'];
    const { calls, trajectory } = await playReplies(scaffold, replies, { turns: 2 });
    const prompts = calls.map(({ prompt }) => unitTokenizer.decode(prompt));
    expect(calls.map(({ call }) => call)).toEqual(['strategy', 'action', 'action']);
    expect(prompts[0]).toContain('Your goal: leave\nStrategy:\nLast actions: none');
    expect(prompts[2]).toContain(
      'Your goal: leave\nStrategy: I try a door.\nLast actions: go forward\nDoor 1.',
    );
    expect(trajectory).toMatchObject({ strategy: 'I try a door.', flags: [] });
  });

  it('are the only replies that decoding allows', () => {
    expect(scaffold.strategyCall?.replies).toEqual([' I look around.', ' I try a door.']);
  });

  it('are none where the reply is another', async () => {
    const { calls, trajectory } = await playReplies(scaffold, ['I run.', 'Action: turn left'], { turns: 1 });
    expect(unitTokenizer.decode(calls[1]?.prompt ?? [])).toContain('Your goal: leave\nStrategy:\nLast');
    expect(trajectory).toMatchObject({ strategy: null, flags: ['strategy_format_error'] });
  });
});
