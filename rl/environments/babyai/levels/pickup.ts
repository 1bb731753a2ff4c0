import { LayoutRejected } from '../draws';
import { level, ONE_ROOM } from '../level';
import { describe, Description, pickUp } from '../mission';
import { isEveryObjectReachable } from '../reachability';
import { drawnMission } from './drawn-mission';

export const PICKUP_LEVELS = [
  level({
    name: 'Pickup',
    number: 17,
    taskType: 'pickup',
    build(grid) {
      grid.placeAgent();
      grid.connectAll();
      const objects = grid.addDistractors(18);
      grid.requireObjectsReachable();
      return pickUp(describe(grid.draws.pick(objects)));
    },
  }),
  level({
    name: 'UnblockPickup',
    number: 18,
    taskType: 'pickup',
    build(grid) {
      grid.placeAgent();
      grid.connectAll();
      const objects = grid.addDistractors(20);
      if (isEveryObjectReachable(grid)) throw new LayoutRejected();
      return pickUp(describe(grid.draws.pick(objects)));
    },
  }),
  level({
    name: 'PickupLoc',
    number: 19,
    taskType: 'pickup',
    ...ONE_ROOM,
    ...drawnMission({
      distractors: 8,
      actions: ['pickup'],
      kinds: ['action'],
      lockedRoomChance: 0,
      unblocking: false,
    }),
  }),
  level({
    name: 'PickupDistDebug',
    number: 20,
    taskType: 'pickup',
    ...ONE_ROOM,
    roomSize: 7,
    build(grid) {
      const objects = grid.addDistractors(5, { unique: true });
      grid.placeAgent(0, 0);
      const { type, color } = describe(grid.draws.pick(objects));
      const said = grid.draws.pick(['type', 'color', 'both'] as const);
      return pickUp(new Description(said === 'color' ? null : type, said === 'type' ? null : color), true);
    },
  }),
  level({
    name: 'PickupAbove',
    number: 21,
    taskType: 'pickup',
    roomSize: 6,
    maxSteps: 288,
    build(grid) {
      const target = grid.addObject(1, 0);
      grid.addDoor(1, 1, { side: 3, locked: false });
      grid.placeAgent(1, 1);
      grid.connectAll();
      return pickUp(describe(target));
    },
  }),
  level({
    name: 'FindObjS7',
    number: 31,
    taskType: 'pickup',
    roomSize: 7,
    maxSteps: 980,
    build(grid) {
      const column = grid.draws.integer(0, grid.columns);
      const row = grid.draws.integer(0, grid.rows);
      const target = grid.addObject(column, row);
      grid.placeAgent(1, 1);
      grid.connectAll();
      return pickUp(new Description(describe(target).type));
    },
  }),
  level({
    name: 'OneRoomS20',
    number: 33,
    taskType: 'pickup',
    ...ONE_ROOM,
    roomSize: 20,
    build(grid) {
      const ball = grid.addObject(0, 0, 'ball');
      grid.placeAgent();
      return pickUp(new Description(describe(ball).type));
    },
  }),
];
