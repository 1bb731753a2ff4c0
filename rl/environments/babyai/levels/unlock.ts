import { level } from '../level';
import { describe, Description, openDoor, pickUp } from '../mission';
import { COLORS, WorldObject } from '../objects';
import { lockRoom, placeAgentOutside } from './locked-room';

export const UNLOCK_LEVELS = [
  level({
    name: 'Unlock',
    number: 24,
    taskType: 'unlock',
    build(grid, rules) {
      const locked = lockRoom(grid, rules);
      const { door } = locked;
      // Half the time the locked door is the only one of its colour.
      if (grid.draws.coin()) grid.connectAll(COLORS.filter((color) => color !== door.color));
      else grid.connectAll();
      for (const { column, row } of locked.distractorRooms) grid.addDistractors(3, { column, row });
      placeAgentOutside(grid, locked.room);
      grid.requireObjectsReachable();
      return openDoor(describe(door));
    },
  }),
  level({
    name: 'UnlockLocalDist',
    number: 25,
    taskType: 'unlock',
    build(grid) {
      const door = grid.addDoor(1, 1, { locked: true });
      grid.addObject(1, 1, 'key', door.color);
      grid.addDistractors(3, { column: 1, row: 1, unique: true });
      grid.placeAgent(1, 1);
      return openDoor(new Description('door'));
    },
  }),
  level({
    name: 'KeyInBox',
    number: 26,
    taskType: 'unlock',
    build(grid) {
      const door = grid.addDoor(1, 1, { locked: true });
      const box = new WorldObject('box', grid.draws.pick(COLORS));
      box.contents = new WorldObject('key', door.color);
      grid.placeInRoom(1, 1, box);
      grid.placeAgent(1, 1);
      return openDoor(new Description('door'));
    },
  }),
  level({
    name: 'UnlockPickupDist',
    number: 27,
    taskType: 'unlock',
    roomSize: 6,
    rows: 1,
    columns: 2,
    build(grid) {
      const box = grid.addObject(1, 0, 'box');
      const door = grid.addDoor(0, 0, { side: 0, locked: true });
      grid.addObject(0, 0, 'key', door.color);
      grid.addDistractors(4, { unique: true });
      grid.placeAgent(0, 0);
      return pickUp(describe(box));
    },
  }),
  level({
    name: 'BlockedUnlockPickup',
    number: 28,
    taskType: 'unlock',
    roomSize: 6,
    rows: 1,
    columns: 2,
    maxSteps: 576,
    build(grid) {
      grid.addObject(1, 0, 'box');
      const door = grid.addDoor(0, 0, { side: 0, locked: true });
      const ball = new WorldObject('ball', grid.draws.pick(COLORS));
      ball.x = door.x - 1;
      ball.y = door.y;
      grid.put(ball.x, ball.y, ball);
      grid.addObject(0, 0, 'key', door.color);
      grid.placeAgent(0, 0);
      return pickUp(new Description('box'));
    },
  }),
  level({
    name: 'UnlockToUnlock',
    number: 29,
    taskType: 'unlock',
    roomSize: 6,
    rows: 1,
    columns: 3,
    maxSteps: 1080,
    build(grid) {
      const [outer, inner] = grid.draws.pickPair(COLORS);
      grid.addDoor(0, 0, { side: 0, color: outer, locked: true });
      grid.addObject(2, 0, 'key', outer);
      grid.addDoor(1, 0, { side: 0, color: inner, locked: true });
      grid.addObject(1, 0, 'key', inner);
      grid.addObject(0, 0, 'ball');
      grid.placeAgent(1, 0);
      return pickUp(new Description('ball'));
    },
  }),
  level({
    name: 'KeyCorridorS6R3',
    number: 32,
    taskType: 'unlock',
    roomSize: 6,
    maxSteps: 1080,
    build(grid) {
      for (let row = 1; row < grid.rows; row++) grid.removeWall(1, row, 3);
      const row = grid.draws.integer(0, grid.rows);
      const door = grid.addDoor(2, row, { side: 2, locked: true });
      grid.addObject(2, row, 'ball');
      grid.addObject(0, grid.draws.integer(0, grid.rows), 'key', door.color);
      grid.placeAgent(1, 1);
      grid.connectAll();
      return pickUp(new Description('ball'));
    },
  }),
];
