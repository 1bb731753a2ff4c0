import { describe, expect, it } from 'vitest';
import { judgmentMessages, namedTurns } from './self-judgment';
import { playedEpisode } from './testing/played';

describe('the prompt of self-judgment', () => {
  it('shows strategy, numbered turns and how it ended', () => {
    const { trajectory } = playedEpisode({ strategy: 'Look first.', finalObservation: 'It is dark.' }, [
      { action: 'look' },
      { action: 'wait' },
    ]);
    const [message] = judgmentMessages(trajectory);
    expect(message?.content).toContain(
      'Your strategy was: Look first.\n\n[1] You saw: You are in room 0.\nYou did: look\n[2] You saw: You are in room 1.\nYou did: wait\nAt the end you saw: It is dark.\nThe task was not fulfilled.',
    );
  });
});

describe('an answer of self-judgment', () => {
  it('names turns from 1 within one pair of tags', () => {
    expect(namedTurns('I strayed: <steps>2, 3,3</steps>', 4)).toEqual([1, 2]);
    expect(namedTurns('<steps> </steps>', 4)).toEqual([]);
  });

  it('names no turn that there is not', () => {
    expect(namedTurns('<steps>0, 4, 5</steps>', 4)).toEqual([3]);
  });

  it('is unreadable, not empty, in any other form', () => {
    for (const reply of [
      '',
      '2, 3',
      '<steps>two</steps>',
      '<steps>1 2</steps>',
      '<steps>1</steps><steps>2</steps>',
    ])
      expect(namedTurns(reply, 4), reply).toBeNull();
  });
});
