import { level } from '../level';
import { describe, goTo, openDoor, pickUp } from '../mission';
import { drawnMission } from './drawn-mission';

export const MIXED_LEVELS = [
  level({
    name: 'ActionObjDoor',
    number: 30,
    taskType: 'mixed',
    roomSize: 7,
    build(grid) {
      const objects = grid.addDistractors(5, { column: 1, row: 1, unique: true });
      for (let door = 0; door < 4; door++) objects.push(grid.addDoor(1, 1, { locked: false }));
      grid.placeAgent(1, 1);
      const object = grid.draws.pick(objects);
      const target = describe(object);
      if (grid.draws.coin()) return goTo(target);
      return object.type === 'door' ? openDoor(target) : pickUp(target);
    },
  }),
  level({
    name: 'SynthS5R2',
    number: 35,
    taskType: 'mixed',
    roomSize: 5,
    rows: 2,
    ...drawnMission({ kinds: ['action'], locations: false, implicitUnlock: false }),
  }),
  level({
    name: 'SynthLoc',
    number: 36,
    taskType: 'mixed',
    ...drawnMission({ kinds: ['action'], implicitUnlock: false }),
  }),
  level({ name: 'SynthSeq', number: 37, taskType: 'mixed', ...drawnMission({ implicitUnlock: false }) }),
  level({
    name: 'MiniBossLevel',
    number: 38,
    taskType: 'mixed',
    roomSize: 5,
    rows: 2,
    columns: 2,
    ...drawnMission({ distractors: 7, lockedRoomChance: 0.25 }),
  }),
  level({ name: 'BossLevel', number: 39, taskType: 'mixed', ...drawnMission({}) }),
  level({
    name: 'BossLevelNoUnlock',
    number: 40,
    taskType: 'mixed',
    ...drawnMission({ lockedRoomChance: 0, implicitUnlock: false }),
  }),
];
