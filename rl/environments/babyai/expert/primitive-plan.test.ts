import { describe, expect, it } from 'vitest';
import { sketchWorld } from '../../testing/babyai-sketch';
import { findLevel } from '../levels/registry';
import { Description, goTo, openDoor, pickUp, putNext, sequence } from '../mission';
import { Primitive } from '../objects';
import { stateKey } from '../state';
import { pendingParts } from '../verifier';
import { World } from '../world';
import { restoreWorld, saveWorld, withWorldKept } from '../world-state';
import { planPrimitives } from './primitive-plan';
import { PRIMITIVE_RULES, type ActionRules } from './rules';

const { left, right, forward, pickup, drop, toggle } = Primitive;
const AGENTGYM_RULES: ActionRules = { shutsDoors: false, opensBoxes: false, failureEnds: true };

const redBall = new Description('ball', 'red');
const blueBox = new Description('box', 'blue');
const greenDoor = new Description('door', 'green');

/** The plan's primitives, played to the success that only the last of them brings. */
function winningPlan(world: World, rules = PRIMITIVE_RULES): readonly Primitive[] {
  const plan = planPrimitives(world, rules);
  expect(plan).not.toHaveProperty('reason');
  const actions = plan.actions ?? [];
  const outcomes = withWorldKept(world, () => actions.map((action) => world.step(action)));
  expect(outcomes).toEqual(
    actions.map((_, index) => (index === actions.length - 1 ? 'success' : 'continue')),
  );
  return actions;
}

/** Fewest primitives that win without taking or dropping anything, by breadth-first play of the world itself. */
function fewestPrimitives(world: World, limit: number): number {
  return withWorldKept(world, () => {
    const known = new Set([stateKey(world)]);
    let states = [saveWorld(world)];
    for (let played = 1; played <= limit; played++) {
      const next: typeof states = [];
      for (const state of states) {
        for (const action of [left, right, forward, toggle, pickup]) {
          restoreWorld(world, state);
          // A toggle would do away with a box.
          if (action === toggle && world.grid.at(world.grid.frontX, world.grid.frontY)?.type === 'box')
            continue;
          if (world.step(action) === 'success') return played;
          if (action === pickup || known.has(stateKey(world))) continue;
          known.add(stateKey(world));
          next.push(saveWorld(world));
        }
      }
      states = next;
    }
    return Infinity;
  });
}

describe('planPrimitives', () => {
  it('walks the shortest way, with a toggle at a shut door', () => {
    const world = sketchWorld(
      ['WW WW WW WW WW', 'WW >> .. .. WW', 'WW WW DG WW WW', 'WW AR .. .. WW', 'WW WW WW WW WW'],
      goTo(redBall),
    );
    expect(winningPlan(world)).toEqual([forward, right, toggle, forward, forward, right]);
  });

  it.each(['GoToLocalS8N7', 'OpenRedDoor', 'OpenDoorLoc', 'PickupLoc', 'GoToDoor'])(
    'is as short as can be where nothing has to be moved: %s',
    (level) => {
      for (let seed = 0; seed < 8; seed++) {
        const world = new World(findLevel(level), seed, 2, { solvable: true });
        const { length } = winningPlan(world);
        expect(fewestPrimitives(world, length)).toBe(length);
      }
    },
  );

  it('takes a blocker out of the way and keeps it out of every other', () => {
    const world = sketchWorld(
      ['WW WW WW WW WW', 'WW .. .. .. WW', 'WW >> .. AB WW', 'WW WW WW AR WW', 'WW WW WW WW WW'],
      pickUp(redBall),
    );
    const actions = winningPlan(world);
    expect(actions.filter((action) => action === pickup)).toHaveLength(2);
    expect(actions).toContain(drop);
  });

  it('clears the way to a locked door before it fetches the key, or puts the key by', () => {
    const world = sketchWorld(
      ['WW WW WW WW WW', 'WW KG .. >> WW', 'WW .. AB .. WW', 'WW WW LG WW WW', 'WW WW WW WW WW'],
      openDoor(greenDoor),
    );
    expect(winningPlan(world)).toContain(drop);
  });

  it('unlocks a door and lets the key go where there is no room behind it', () => {
    const world = sketchWorld(
      [
        'WW WW WW WW WW WW',
        'WW KG .. .. >> WW',
        'WW .. .. .. .. WW',
        'WW WW LG WW WW WW',
        'WW WW AR WW WW WW',
        'WW WW WW WW WW WW',
      ],
      pickUp(redBall),
    );
    expect(winningPlan(world)).toContain(toggle);
  });

  it('moves an object away where the other belongs next to it and nothing is free there', () => {
    const world = sketchWorld(
      ['WW WW WW WW WW', 'WW BB KG .. WW', 'WW KY .. .. WW', 'WW .. AR >> WW', 'WW WW WW WW WW'],
      putNext(redBall, blueBox),
    );
    expect(winningPlan(world).filter((action) => action === pickup)).toHaveLength(2);
  });

  it('takes what is in the hand anew where the part counts only now', () => {
    const world = sketchWorld(
      ['WW WW WW WW WW', 'WW .. .. .. WW', 'WW BB >> AR WW', 'WW .. .. .. WW', 'WW WW WW WW WW'],
      sequence('before', goTo(blueBox), pickUp(redBall)),
    );
    world.step(pickup);
    expect(pendingParts(world.progress).active).toEqual([goTo(blueBox)]);
    expect(winningPlan(world)).toEqual([left, left, right, drop, pickup]);
  });

  it('opens a box that holds the key, where boxes open', () => {
    const world = sketchWorld(
      ['WW WW WW WW WW', 'WW BB .. >> WW', 'WW .. .. .. WW', 'WW WW LG WW WW', 'WW WW WW WW WW'],
      openDoor(greenDoor),
    );
    const box = world.grid.at(1, 1);
    const key = sketchWorld(['WW WW WW', 'WW KG WW', 'WW WW WW'], goTo(new Description('key'))).grid.at(1, 1);
    if (box) box.contents = key;
    expect(winningPlan(world).filter((action) => action === toggle)).toHaveLength(2);
    withWorldKept(world, () => {
      for (const action of [left, left, forward, pickup]) world.step(action);
      expect(world.carrying).toBe(box);
      expect(winningPlan(world)).toContain(drop);
    });
    expect(planPrimitives(world, AGENTGYM_RULES)).toEqual({
      actions: null,
      proven: true,
      reason:
        'the green door cannot be opened: the key of the green locked door is needed, and a box holds it, ' +
        'and no action opens a box',
    });
  });

  it('shuts an open door to open it, where doors shut', () => {
    const world = sketchWorld(
      ['WW WW WW WW WW', 'WW .. .. WW WW', 'WW >> .. OG WW', 'WW .. .. WW WW', 'WW WW WW WW WW'],
      openDoor(greenDoor),
    );
    expect(winningPlan(world)).toEqual([forward, toggle, toggle]);
    expect(planPrimitives(world, AGENTGYM_RULES)).toMatchObject({
      proven: true,
      reason: 'the green door stands open, no action shuts it, and it has to be opened anew',
    });
  });

  it('goes round by another door to keep one shut that is to be opened later', () => {
    const rows = ['WW WW WW WW WW', 'WW .. >> .. WW', 'WW DG WW DY WW', 'WW AR .. .. WW', 'WW WW WW WW WW'];
    const mission = sequence('before', pickUp(redBall), openDoor(greenDoor));
    const world = sketchWorld(rows, mission);
    winningPlan(world, AGENTGYM_RULES);
    const oneDoor = sketchWorld(
      rows.map((row) => row.replace('DY', 'WW')),
      mission,
    );
    winningPlan(oneDoor);
    expect(planPrimitives(oneDoor, AGENTGYM_RULES)).toMatchObject({
      proven: true,
      reason:
        'the way to what comes first leads through the green door, to be opened later, and no action shuts a door',
    });
  });

  it('touches nothing that fails the mission, and says where that leaves no way', () => {
    const rows = ['WW WW WW WW WW', 'WW >> .. AB WW', 'WW .. .. .. WW', 'WW .. AB AR WW', 'WW WW WW WW WW'];
    winningPlan(sketchWorld(rows, pickUp(redBall, true)));
    const barred = sketchWorld(
      rows.map((row, y) => (y === 2 ? 'WW .. .. AB WW' : row)),
      pickUp(redBall, true),
    );
    expect(planPrimitives(barred, PRIMITIVE_RULES)).toMatchObject({
      proven: true,
      reason: 'the red ball cannot be reached',
    });
    expect(planPrimitives(barred, { ...PRIMITIVE_RULES, failureEnds: false }).actions).not.toBeNull();
  });

  it('leaves the world as it was', () => {
    const world = new World(findLevel('BossLevel'), 5, 2, { solvable: true });
    const before = [stateKey(world), world.steps, JSON.stringify(world.progress)];
    planPrimitives(world, PRIMITIVE_RULES);
    expect([stateKey(world), world.steps, JSON.stringify(world.progress)]).toEqual(before);
  });

  it('is the same for the same state', () => {
    const plans = [1, 2].map(() =>
      planPrimitives(new World(findLevel('SynthSeq'), 4, 2, { solvable: true }), PRIMITIVE_RULES),
    );
    expect(plans[0]).toEqual(plans[1]);
  });
});
