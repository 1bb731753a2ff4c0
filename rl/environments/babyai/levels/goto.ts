import { LayoutRejected } from '../draws';
import { level, ONE_ROOM } from '../level';
import { describe, goTo } from '../mission';
import type { RoomGrid } from '../room-grid';
import { drawnMission } from './drawn-mission';
import { lockRoom, placeAgentOutside } from './locked-room';

/** One room, a red ball and distractors. */
function goToRedBall(distractors: number, grey = false) {
  return (grid: RoomGrid) => {
    grid.placeAgent();
    const ball = grid.addObject(0, 0, 'ball', 'red');
    const others = grid.addDistractors(distractors);
    if (grey) for (const other of others) other.recolor('grey');
    grid.requireObjectsReachable();
    return goTo(describe(ball));
  };
}

export const GOTO_LEVELS = [
  level({
    name: 'GoToRedBallGrey',
    number: 1,
    taskType: 'goto',
    ...ONE_ROOM,
    build: goToRedBall(7, true),
  }),
  level({ name: 'GoToRedBall', number: 2, taskType: 'goto', ...ONE_ROOM, build: goToRedBall(7) }),
  level({ name: 'GoToRedBallNoDists', number: 3, taskType: 'goto', ...ONE_ROOM, build: goToRedBall(0) }),
  level({
    name: 'GoToObjS6',
    number: 4,
    taskType: 'goto',
    ...ONE_ROOM,
    roomSize: 6,
    build(grid) {
      grid.placeAgent();
      return goTo(describe(grid.draws.pick(grid.addDistractors(1))));
    },
  }),
  level({
    name: 'GoToLocalS8N7',
    number: 5,
    taskType: 'goto',
    ...ONE_ROOM,
    build(grid) {
      grid.placeAgent();
      const objects = grid.addDistractors(7);
      grid.requireObjectsReachable();
      return goTo(describe(grid.draws.pick(objects)));
    },
  }),
  level({
    name: 'GoToObjMazeS7',
    number: 6,
    taskType: 'goto',
    roomSize: 7,
    build(grid) {
      grid.placeAgent();
      grid.connectAll();
      const objects = grid.addDistractors(1);
      grid.requireObjectsReachable();
      return goTo(describe(grid.draws.pick(objects)));
    },
  }),
  level({
    name: 'GoToImpUnlock',
    number: 7,
    taskType: 'goto',
    build(grid, rules) {
      const locked = lockRoom(grid, rules);
      grid.connectAll();
      for (const { column, row } of locked.distractorRooms) grid.addDistractors(2, { column, row });
      placeAgentOutside(grid, locked.room);
      grid.requireObjectsReachable();
      const { column, row } = locked;
      return goTo(describe(grid.draws.pick(grid.addDistractors(1, { column, row }))));
    },
  }),
  level({
    name: 'GoToSeqS5R2',
    number: 8,
    taskType: 'sequence',
    roomSize: 5,
    rows: 2,
    columns: 2,
    ...drawnMission({
      distractors: 4,
      actions: ['goto'],
      lockedRoomChance: 0,
      locations: false,
      unblocking: false,
    }),
  }),
  level({
    name: 'GoToRedBlueBall',
    number: 9,
    taskType: 'goto',
    ...ONE_ROOM,
    build(grid) {
      grid.placeAgent();
      const others = grid.addDistractors(7);
      if (others.some(({ type, color }) => type === 'ball' && (color === 'blue' || color === 'red'))) {
        throw new LayoutRejected();
      }
      const ball = grid.addObject(0, 0, 'ball', grid.draws.pick(['red', 'blue'] as const));
      grid.requireObjectsReachable();
      return goTo(describe(ball));
    },
  }),
  level({
    name: 'GoToDoor',
    number: 10,
    taskType: 'goto',
    roomSize: 7,
    build(grid) {
      const doors = [grid.addDoor(1, 1), grid.addDoor(1, 1), grid.addDoor(1, 1), grid.addDoor(1, 1)];
      grid.placeAgent(1, 1);
      return goTo(describe(grid.draws.pick(doors)));
    },
  }),
  level({
    name: 'GoToObjDoor',
    number: 11,
    taskType: 'goto',
    build(grid) {
      grid.placeAgent(1, 1);
      const objects = grid.addDistractors(8, { column: 1, row: 1 });
      for (let door = 0; door < 4; door++) objects.push(grid.addDoor(1, 1));
      grid.requireObjectsReachable();
      return goTo(describe(grid.draws.pick(objects)));
    },
  }),
];
