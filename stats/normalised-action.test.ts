import { describe, expect, it } from 'vitest';
import { namedThings, normaliseAction } from './normalised-action';

const alike = (one: string, other: string) => normaliseAction(one) === normaliseAction(other);

describe('an action without its wording', () => {
  it.each([
    ['go to red ball 1', 'goto red ball 1'],
    ['go to red ball 1', 'Go to the red ball 1.'],
    ['pick up yellow key 1', 'pickup  yellow key 1\n'],
    ['take mug 1 from shelf 2', '“Take” a mug 1, from the shelf 2!'],
    ['turn left', 'turn_left'],
    ['turn left', '[turn-left]'],
    ['turn left', 'ｔｕｒｎ ｌｅｆｔ'],
    ['go to ball1', 'go to ball 1'],
    ['go to ball 1', 'Action: go to ball 1'],
  ])('is the same for %j and %j', (one, other) => {
    expect(alike(one, other)).toBe(true);
  });

  it.each([
    ['go to red ball 1', 'go to red ball 2'],
    ['go to ball 1 1', 'go to ball 11'],
    ['set heat 1.5', 'set heat 15'],
    ['move -1', 'move 1'],
    ['press a', 'press'],
    ['press a', 'press b'],
    ['turn left', 'turn right'],
    ['?', '!'],
    ['look', ''],
  ])('differs for %j and %j', (one, other) => {
    expect(alike(one, other)).toBe(false);
  });

  it('keeps letters of every script', () => {
    expect(alike('向左转', '向左转。')).toBe(true);
    expect(alike('向左转', '向右转')).toBe(false);
  });

  it('names numbered things in their order', () => {
    expect(namedThings('put Mug 1 in/on the shelf 2')).toBe('mug1 shelf2');
    expect(namedThings('put shelf 2 in mug 1')).not.toBe(namedThings('put mug 1 in shelf 2'));
    expect(namedThings('turn left')).toBe('');
  });
});
