import { expect, it } from 'vitest';
import type { EpisodeOpening } from '@/rl/play';
import { checkSameOpenings } from './same-openings';

function opening(id: string, text: string, availableActions = ['look']): EpisodeOpening {
  return { task: { id, taskType: 'place', split: 'train' }, observation: { text, availableActions } };
}

it('lets episodes of a game pass that begin alike, whatever other games begin with', () => {
  expect(() => {
    checkSameOpenings([
      opening('game/1', 'A desk.'),
      opening('game/2', 'A bed.'),
      opening('game/1', 'A desk.'),
    ]);
  }).not.toThrow();
});

it('names the game whose episodes begin differently, and where', () => {
  expect(() => {
    checkSameOpenings([opening('game/1', 'A desk 1.'), opening('game/1', 'A desk 2.')]);
  }).toThrow(
    'the episodes of game/1 do not begin alike: from character 7 on, one shows "1.\\nlook", another "2.\\nlook"; expected one first observation for the group',
  );
});

it('compares the actions offered too', () => {
  expect(() => {
    checkSameOpenings([opening('game/1', 'A desk.'), opening('game/1', 'A desk.', ['look', 'wait'])]);
  }).toThrow('from character 12 on, one shows "", another "\\nwait"');
});
