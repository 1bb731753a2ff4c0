import { describe, expect, it } from 'vitest';
import { playedEpisode } from '@/rl/recipes/testing/played';
import { judgePrompt, readScore } from './judge-prompt';

const { trajectory } = playedEpisode({ goal: 'leave', success: true, finalObservation: 'Outside.' }, [
  { observation: 'A door.', reply: 'I knock.', action: 'knock' },
  { observation: 'It opens.', reply: 'I leave.', action: 'leave' },
]);

describe('what a judge is asked', () => {
  it('shows goal, every turn, the end, and the turn to be judged by its number', () => {
    const [system, user] = judgePrompt(undefined)(trajectory, 1);
    expect(system?.content).toContain('{"score": x}');
    const turns = [
      'Turn 1\nSeen:\nA door.\nReply:\nI knock.\nAction: knock',
      'Turn 2\nSeen:\nIt opens.\nReply:\nI leave.\nAction: leave',
    ];
    expect(user?.content).toBe(
      `Goal: leave\n\n${turns.join('\n\n')}\n\nThen:\nOutside.\nThe goal was reached.\n\nJudge turn 2:\n${turns[1]}`,
    );
  });

  it('can be worded otherwise, and refuses a placeholder that there is not', () => {
    const [, user] = judgePrompt({ prompt: 'Turn {turn_number} of: {turns}', turn: '[{action}]' })(
      trajectory,
      0,
    );
    expect(user?.content).toBe('Turn 1 of: [knock]\n\n[leave]');
    expect(() => judgePrompt({ prompt: '{reward}' })).toThrow('unknown placeholder {reward}');
  });
});

it.each([
  ['It was right.\n{"score": 0.5}', 0.5],
  ['{"score":-1}', -1],
  ['```json\n{ "score" : +.25 }\n```', 0.25],
  ['{"score": 1.5}', null],
  ['{"score": "0.5"}', null],
  ['{"score": 0.5} or rather {"score": 0.7}', null],
  ['{"score": x}', null],
  ['about 0.5', null],
  ['', null],
])('reads %j as %s', (answer, score) => {
  expect(readScore(answer)).toBe(score);
});
