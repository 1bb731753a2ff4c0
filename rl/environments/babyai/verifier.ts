import type { Description, Instruction } from './mission';
import { manhattan, Primitive } from './objects';
import type { World } from './world';

export type Outcome = 'success' | 'failure' | 'continue';

/** Judges the world after each primitive action. It remembers, so it is asked once an action. */
export type Verifier = (world: World, action: Primitive) => Outcome;

/** A fresh judge of a mission whose descriptions have been found (Minigrid, envs/babyai/core/verifier.py). */
export function createVerifier(instruction: Instruction): Verifier {
  switch (instruction.kind) {
    case 'goto':
      return verifyGoTo(instruction.target);
    case 'open':
      return verifyOpen(instruction.target, instruction.strict);
    case 'pickup':
      return verifyPickUp(instruction.target, instruction.strict);
    case 'putnext':
      return verifyPutNext(instruction.target, instruction.beside);
    case 'before':
      return verifyInOrder(createVerifier(instruction.first), createVerifier(instruction.second));
    case 'after':
      return verifyInOrder(createVerifier(instruction.second), createVerifier(instruction.first));
    case 'and':
      return verifyBoth(createVerifier(instruction.first), createVerifier(instruction.second));
  }
}

/** Facing a cell of the target, whatever the action; cells are stale until the next drop, as upstream's are. */
function verifyGoTo(target: Description): Verifier {
  return (world) => {
    const { frontX, frontY } = world.grid;
    return target.cells.some((cell) => cell.x === frontX && cell.y === frontY) ? 'success' : 'continue';
  };
}

function verifyOpen(target: Description, strict: boolean): Verifier {
  return (world, action) => {
    if (action !== Primitive.toggle) return 'continue';
    const object = world.grid.at(world.grid.frontX, world.grid.frontY);
    if (object?.type !== 'door') return 'continue';
    if (object.state === 'open' && target.objects.includes(object)) return 'success';
    return strict ? 'failure' : 'continue';
  };
}

function verifyPickUp(target: Description, strict: boolean): Verifier {
  let carriedBefore: World['carrying'] = null;
  return (world, action) => {
    const before = carriedBefore;
    carriedBefore = world.carrying;
    if (action !== Primitive.pickup || !world.carrying) return 'continue';
    if (!before && target.objects.includes(world.carrying)) return 'success';
    return strict ? 'failure' : 'continue';
  };
}

function verifyPutNext(target: Description, beside: Description): Verifier {
  let carriedBefore: World['carrying'] = null;
  return (world, action) => {
    const dropped = carriedBefore;
    carriedBefore = world.carrying;
    if (action !== Primitive.drop || !dropped || !target.objects.includes(dropped)) return 'continue';
    const isNext = beside.cells.some((cell) => manhattan(dropped.x, dropped.y, cell.x, cell.y) === 1);
    return isNext ? 'success' : 'continue';
  };
}

/** The later part is first asked within the action that completes the earlier one. */
function verifyInOrder(earlier: Verifier, later: Verifier): Verifier {
  let earlierDone = false;
  return (world, action) => {
    if (!earlierDone) {
      const outcome = earlier(world, action);
      if (outcome !== 'success') return outcome;
      earlierDone = true;
    }
    return later(world, action);
  };
}

/** Each part is asked until it succeeds; a failure of one is not a failure of both, as upstream has it. */
function verifyBoth(first: Verifier, second: Verifier): Verifier {
  let firstDone = false;
  let secondDone = false;
  return (world, action) => {
    if (!firstDone) firstDone = first(world, action) === 'success';
    if (!secondDone) secondDone = second(world, action) === 'success';
    return firstDone && secondDone ? 'success' : 'continue';
  };
}
