import { expect, it } from 'vitest';
import { demonstratedThought } from './demonstrated-thought';

const goal = 'pick up the red ball';
const say = (text: string, action: string, of = goal) =>
  demonstratedThought({ goal: of, observation: { text, availableActions: [action] }, action });

it('tells what is in view and what an action is for', () => {
  expect(say('There is a red ball 1', 'pickup red ball 1')).toBe('I see the red ball.');
  expect(say('There is a box 1', 'turn left')).toBe('I do not see the red ball, so I look around.');
  expect(say('There is a red door 1', 'toggle and go through red closed door 1')).toBe(
    'I do not see the red ball, so I try a door.',
  );
  expect(say('There is a red key 1', 'pickup red key 1')).toBe('I need the key first.');
  expect(say('There is a red key 1', 'drop')).toBe('My hands are full.');
  expect(say('', 'turn left', 'put the red ball next to the box')).toBe('I am not sure.');
});
