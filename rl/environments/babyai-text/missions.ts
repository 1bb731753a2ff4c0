import { addLockedRoom } from '../babyai/levels/drawn-mission';
import {
  describe,
  Description,
  descriptions,
  goTo,
  openDoor,
  pickUp,
  putNext,
  sequence,
  type Instruction,
} from '../babyai/mission';
import type { WorldObject } from '../babyai/objects';
import { isEveryObjectReachable } from '../babyai/reachability';
import type { RoomGrid } from '../babyai/room-grid';
import type { ActionKind, TextLevel } from './levels';

/** Colour and noun of what the train levels never name, and the test level names alone. */
export const HELD_OUT_PAIRS: ReadonlySet<string> = new Set([
  'yellow box',
  'red key',
  'red door',
  'green ball',
  'grey door',
]);

const DISTRACTORS = 8;

/** Fills the grid anew until its mission suits the level and every object can be reached; the draws are upstream's. */
export function drawInstruction(grid: RoomGrid, level: TextLevel, kind: ActionKind): Instruction {
  for (;;) {
    grid.clear();
    const instruction = fill(grid, level, kind);
    if (isAccepted(instruction, level) && isEveryObjectReachable(grid)) return instruction;
  }
}

function isAccepted(instruction: Instruction, { heldOut }: TextLevel): boolean {
  return descriptions(instruction).every(
    ({ type, color }) => HELD_OUT_PAIRS.has(`${color} ${type}`) === (heldOut === 'only'),
  );
}

function fill(grid: RoomGrid, level: TextLevel, kind: ActionKind): Instruction {
  if (kind === 'open') return fillTwoRooms(grid, level);
  grid.placeAgent();
  switch (kind) {
    case 'goto':
      return goTo(describe(grid.draws.pick(grid.addDistractors(DISTRACTORS + 1))));
    case 'pickup':
      return pickUp(describe(grid.draws.pick(grid.addDistractors(DISTRACTORS + 1))));
    case 'putnext': {
      const [moved, beside] = drawPair(grid);
      return putNext(describe(moved), describe(beside));
    }
    case 'pick up seq go to': {
      const [taken, visited] = drawPair(grid);
      const order = level.order === 'drawn' ? grid.draws.pick(['before', 'after'] as const) : level.order;
      const [take, visit] = [pickUp(describe(taken)), goTo(describe(visited))];
      return order === 'before' ? sequence('before', take, visit) : sequence('after', visit, take);
    }
  }
}

/** A locked door between two rooms; its key, the distractors and the agent on the same side of it. */
function fillTwoRooms(grid: RoomGrid, { doorColors, namesDoorColor }: TextLevel): Instruction {
  const color = grid.draws.pick(doorColors);
  addLockedRoom(grid, color);
  grid.connectAll();
  for (let column = 0; column < grid.columns; column++) {
    if (grid.room(column, 0) !== grid.lockedRoom) grid.addDistractors(DISTRACTORS, { column, row: 0 });
  }
  do grid.placeAgent();
  while (grid.roomAt(grid.agentX, grid.agentY) === grid.lockedRoom);
  return openDoor(new Description('door', namesDoorColor ? color : grid.draws.pick([null, color])));
}

/** Two drawn objects; where the first looks like no other, the second looks different. */
function drawPair(grid: RoomGrid): [WorldObject, WorldObject] {
  const objects = grid.addDistractors(DISTRACTORS + 2);
  const first = grid.draws.pick(objects);
  const mayLookAlike = objects.filter(({ code }) => code === first.code).length > 1;
  let second = grid.draws.pick(objects);
  while (!mayLookAlike && second.code === first.code) second = grid.draws.pick(objects);
  return [first, second];
}
