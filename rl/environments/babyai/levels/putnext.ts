import { level, ONE_ROOM } from '../level';
import { describe, putNext, sequence, type Instruction } from '../mission';
import type { WorldObject } from '../objects';

function put(moved: WorldObject, beside: WorldObject): Instruction {
  return putNext(describe(moved), describe(beside));
}

export const PUTNEXT_LEVELS = [
  level({
    name: 'PutNextLocalS6N4',
    number: 22,
    taskType: 'putnext',
    ...ONE_ROOM,
    roomSize: 6,
    build(grid) {
      grid.placeAgent();
      const objects = grid.addDistractors(4, { unique: true });
      grid.requireObjectsReachable();
      return put(...grid.draws.pickPair(objects));
    },
  }),
  level({
    name: 'PutNextS7N4Carrying',
    number: 23,
    taskType: 'putnext',
    roomSize: 7,
    rows: 1,
    columns: 2,
    maxSteps: 392,
    build(grid) {
      grid.placeAgent(0, 0);
      const left = grid.addDistractors(4, { column: 0, row: 0, unique: true });
      const right = grid.addDistractors(4, { column: 1, row: 0, unique: true });
      grid.removeWall(0, 0, 0);
      const fromLeft = grid.draws.pick(left);
      const fromRight = grid.draws.pick(right);
      const [moved, beside] = grid.draws.coin() ? [fromRight, fromLeft] : [fromLeft, fromRight];
      grid.carriedAtStart = moved;
      return put(moved, beside);
    },
  }),
  level({
    name: 'MoveTwoAcrossS8N9',
    number: 34,
    taskType: 'sequence',
    rows: 1,
    columns: 2,
    maxSteps: 1024,
    build(grid) {
      grid.placeAgent(0, 0);
      const left = grid.addDistractors(9, { column: 0, row: 0, unique: true });
      const right = grid.addDistractors(9, { column: 1, row: 0, unique: true });
      grid.removeWall(0, 0, 0);
      const [leftMoved, leftKept] = grid.draws.pickPair(left);
      const [rightKept, rightMoved] = grid.draws.pickPair(right);
      return sequence('before', put(leftMoved, rightKept), put(rightMoved, leftKept));
    },
  }),
];
