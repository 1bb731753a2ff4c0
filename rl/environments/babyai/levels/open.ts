import { level } from '../level';
import { describe, Description, LOCATIONS, openDoor, sequence } from '../mission';
import { COLORS, type WorldObject } from '../objects';
import { doorsOf } from '../room';

export const OPEN_LEVELS = [
  level({
    name: 'Open',
    number: 12,
    taskType: 'open',
    build(grid) {
      grid.placeAgent();
      grid.connectAll();
      grid.addDistractors(18);
      grid.requireObjectsReachable();
      const doors: WorldObject[] = [];
      for (let column = 0; column < grid.columns; column++) {
        for (let row = 0; row < grid.rows; row++) {
          // A door counts once for each of its rooms, as upstream draws it.
          doors.push(...doorsOf(grid.room(column, row)));
        }
      }
      return openDoor(describe(grid.draws.pick(doors)));
    },
  }),
  level({
    name: 'OpenRedDoor',
    number: 13,
    taskType: 'open',
    roomSize: 5,
    rows: 1,
    columns: 2,
    build(grid) {
      grid.addDoor(0, 0, { side: 0, color: 'red', locked: false });
      grid.placeAgent(0, 0);
      return openDoor(new Description('door', 'red'));
    },
  }),
  level({
    name: 'OpenDoorLoc',
    number: 14,
    taskType: 'open',
    build(grid) {
      const colors = grid.draws.pickSome(COLORS, 4);
      grid.addDoor(1, 1, { side: 0, color: colors[0], locked: false });
      grid.addDoor(1, 1, { side: 1, color: colors[1], locked: false });
      grid.addDoor(1, 1, { side: 2, color: colors[2], locked: false });
      grid.addDoor(1, 1, { side: 3, color: colors[3], locked: false });
      const location = grid.draws.pick(LOCATIONS);
      grid.placeAgent(1, 1);
      return openDoor(new Description('door', null, location));
    },
  }),
  level({
    name: 'OpenRedBlueDoorsDebug',
    number: 15,
    taskType: 'sequence',
    roomSize: 6,
    maxSteps: 720,
    build(grid) {
      // Upstream draws two colours here and does not use them.
      grid.draws.pickPair(COLORS);
      const red = grid.addDoor(1, 1, { side: 2, color: 'red', locked: false });
      const blue = grid.addDoor(1, 1, { side: 0, color: 'blue', locked: false });
      grid.placeAgent(1, 1);
      return sequence('before', openDoor(describe(red), true), openDoor(describe(blue)));
    },
  }),
  level({
    name: 'OpenDoorsOrderN4Debug',
    number: 16,
    taskType: 'sequence',
    roomSize: 6,
    maxSteps: 720,
    build(grid) {
      const doors = grid.draws
        .pickSome(COLORS, 4)
        .map((color) => grid.addDoor(1, 1, { color, locked: false }));
      grid.placeAgent(1, 1);
      const [first, second] = grid.draws.pickPair(doors);
      const order = grid.draws.pick(['alone', 'before', 'after'] as const);
      const openFirst = openDoor(describe(first), true);
      return order === 'alone' ? openFirst : sequence(order, openFirst, openDoor(describe(second), true));
    },
  }),
];
