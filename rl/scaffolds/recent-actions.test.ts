import { describe, expect, it } from 'vitest';
import { recentActions } from './recent-actions';
import type { EpisodeView } from './scaffold';

const observation = { text: 'You see nothing.', availableActions: ['turn left', 'turn right'] };
const past = ['turn left', '', 'move forward'].map((action) => ({ observation, reply: '', action }));

function view(changes: Partial<EpisodeView>): EpisodeView {
  return { goal: 'go to the red ball', past, observation, strategy: null, memory: null, ...changes };
}

describe('recent-actions', () => {
  it('writes goal, last actions, observation and available actions, a line each', () => {
    expect(recentActions(2).prompt(view({}))).toEqual([
      {
        role: 'user',
        content:
          'Your goal: go to the red ball\nLast actions: none; move forward\nYou see nothing.\nAvailable actions: ["turn left", "turn right"]',
      },
    ]);
  });

  it('says none where there is no past or none is wanted', () => {
    expect(recentActions(4).prompt(view({ past: [] }))[0]?.content).toContain('Last actions: none\n');
    expect(recentActions(0).prompt(view({}))[0]?.content).toContain('Last actions: none\n');
  });
});
