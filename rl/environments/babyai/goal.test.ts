import { describe, expect, it } from 'vitest';
import { readGoal } from './goal';

describe('readGoal', () => {
  it.each([
    ['go to a green key', { verb: 'go to', color: 'green', type: 'key', target: 'green key' }],
    ['pick up the grey object', { verb: 'pick up', color: 'grey', type: 'object', target: 'grey object' }],
    ['open a door on your left', { verb: 'open', color: null, type: 'door', target: 'door' }],
    ['pick up a ball behind you', { verb: 'pick up', color: null, type: 'ball', target: 'ball' }],
  ])('reads "%s"', (goal, parts) => {
    expect(readGoal(goal)).toEqual(parts);
  });

  it('refuses goals of several parts and other texts, quoting them', () => {
    expect(() => readGoal('put the red ball next to a box')).toThrow(/"put the red ball next to a box"/);
    expect(() => readGoal('open the door, and go to the key')).toThrow(/one thing/);
    expect(() => readGoal('make tea')).toThrow(/"make tea"/);
  });
});
