import { level, ONE_ROOM } from '../level';
import { describe, putNext, sequence, type Instruction } from '../mission';
import type { WorldObject } from '../objects';

function putPair([moved, beside]: readonly WorldObject[]): Instruction {
  if (!moved || !beside) throw new Error('a pair of objects was drawn');
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
      return putPair(grid.draws.pickSome(objects, 2));
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
      const pair = [grid.draws.pick(left), grid.draws.pick(right)];
      if (grid.draws.coin()) pair.reverse();
      grid.carriedAtStart = pair[0] ?? null;
      return putPair(pair);
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
      const [leftMoved, leftKept] = grid.draws.pickSome(left, 2);
      const [rightKept, rightMoved] = grid.draws.pickSome(right, 2);
      if (!leftMoved || !leftKept || !rightKept || !rightMoved)
        throw new Error('two objects a side were drawn');
      return sequence('before', putPair([leftMoved, rightKept]), putPair([rightMoved, leftKept]));
    },
  }),
];
