import { describe, expect, it } from 'vitest';
import { sketchWorld } from '../testing/babyai-sketch';
import { Description, goTo, openDoor, pickUp, putNext, sequence, type Instruction } from './mission';
import { Primitive } from './objects';
import { allParts, copyProgress, pendingParts, startProgress } from './verifier';
import type { World } from './world';

const { left, right, forward, pickup, drop, toggle } = Primitive;

const redBall = new Description('ball', 'red');
const blueKey = new Description('key', 'blue');
const greenDoor = new Description('door', 'green');

/** The agent faces the red ball; the blue key lies to its right, the green door behind it. */
const world = (mission: Instruction): World =>
  sketchWorld(
    ['WW WW WW WW WW', 'WW .. .. .. WW', 'WW DG >> AR WW', 'WW .. KB .. WW', 'WW WW WW WW WW'],
    mission,
  );

describe('a mission in order', () => {
  it('asks for the second part within the action that completes the first', () => {
    const again = world(sequence('before', pickUp(redBall), goTo(redBall)));
    // The ball's cell stays the ball's until a drop.
    expect(again.step(pickup)).toBe('success');
  });

  it('does not count what is done too early', () => {
    const early = world(sequence('after', pickUp(redBall), pickUp(blueKey)));
    expect([pickup, drop, right].map((action) => early.step(action))).toEqual(Array(3).fill('continue'));
    expect(early.step(pickup)).toBe('continue');
    expect(pendingParts(early.progress).active).toEqual([pickUp(redBall)]);
    expect([drop, left, pickup].map((action) => early.step(action))).toEqual([
      'continue',
      'continue',
      'success',
    ]);
  });

  it('fails where the act that completes a part touches what a strict next one forbids', () => {
    const strict = world(sequence('before', pickUp(redBall), pickUp(blueKey, true)));
    expect(strict.step(pickup)).toBe('failure');
  });
});

describe('a mission in any order', () => {
  it('remembers each part, and counts no failure', () => {
    const both = world(sequence('and', pickUp(blueKey, true), openDoor(greenDoor)));
    expect([left, left, toggle].map((action) => both.step(action))).toEqual(Array(3).fill('continue'));
    expect(pendingParts(both.progress).active).toEqual([pickUp(blueKey, true)]);
    expect([left, pickup].map((action) => both.step(action))).toEqual(['continue', 'success']);
  });
});

describe('putting next', () => {
  it('counts a drop of what was in the hand when it was last judged', () => {
    const put = world(putNext(redBall, blueKey));
    // From the cell above, the ball is put where the agent stood: beside the key.
    const actions = [pickup, left, forward, left, left, drop];
    expect(actions.map((action) => put.step(action))).toEqual([
      ...Array<string>(5).fill('continue'),
      'success',
    ]);
  });
});

describe('progress', () => {
  it('lists what counts now and what waits, in the order of the parts', () => {
    const [ball, key, door] = [pickUp(redBall), goTo(blueKey), openDoor(greenDoor)];
    const progress = startProgress(sequence('after', door, sequence('and', ball, key)));
    expect(pendingParts(progress)).toEqual({ active: [ball, key], later: [door] });
    expect(allParts(progress)).toEqual([ball, key, door]);
  });

  it('is copied apart from the original', () => {
    const played = world(sequence('before', pickUp(redBall), pickUp(blueKey)));
    const copy = copyProgress(played.progress);
    played.step(pickup);
    expect(played.progress).not.toEqual(copy);
    expect(copy).toEqual(startProgress(played.instruction));
  });
});
