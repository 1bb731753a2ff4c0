import { LayoutRejected } from '../draws';
import {
  Description,
  goTo,
  LOCATIONS,
  openDoor,
  pickUp,
  putNext,
  sequence,
  type Instruction,
} from '../mission';
import { COLORS, type Color } from '../objects';
import type { RoomGrid } from '../room-grid';

const CARRIABLE = ['box', 'ball', 'key'] as const;
const ANY = ['box', 'ball', 'key', 'door'] as const;
const DOOR = ['door'] as const;
const DESCRIBING_TRIES = 100;

/** What Minigrid's LevelGen may draw. */
export interface DrawnMission {
  distractors: number;
  /** Chance of a locked room, its key elsewhere. */
  lockedRoomChance: number;
  /** Descriptions may say where an object lies. */
  locations: boolean;
  /** Objects may bar the way. */
  unblocking: boolean;
  /** Missions may concern the locked room alone. */
  implicitUnlock: boolean;
  actions: readonly ('goto' | 'pickup' | 'open' | 'putnext')[];
  kinds: readonly MissionKind[];
}

type MissionKind = 'action' | 'and' | 'seq';

const DEFAULTS: DrawnMission = {
  distractors: 18,
  lockedRoomChance: 0.5,
  locations: true,
  unblocking: true,
  implicitUnlock: true,
  actions: ['goto', 'pickup', 'open', 'putnext'],
  kinds: ['action', 'and', 'seq'],
};

/** A level's build and `unblocking` for a layout and a mission drawn at random, as Minigrid's LevelGen does. */
export function drawnMission(given: Partial<DrawnMission>): {
  unblocking: boolean;
  build: (grid: RoomGrid) => Instruction;
} {
  const rules = { ...DEFAULTS, ...given };
  return {
    unblocking: rules.unblocking,
    build(grid) {
      if (grid.draws.fraction() < rules.lockedRoomChance) addLockedRoom(grid);
      grid.connectAll();
      grid.addDistractors(rules.distractors);
      do grid.placeAgent();
      while (grid.roomAt(grid.agentX, grid.agentY) === grid.lockedRoom);
      if (!rules.unblocking) grid.requireObjectsReachable();
      return drawInstruction(grid, rules, rules.kinds);
    },
  };
}

/** Locks a drawn room behind a door of the colour, drawn where not given, and puts its key into another. */
export function addLockedRoom(grid: RoomGrid, color?: Color): void {
  const { draws } = grid;
  for (;;) {
    const column = draws.integer(0, grid.columns);
    const row = draws.integer(0, grid.rows);
    const side = draws.side();
    grid.lockedRoom = grid.room(column, row);
    if (!grid.lockedRoom.neighbors[side]) continue;
    const door = grid.addDoor(column, row, { side, color, locked: true });
    for (;;) {
      const keyColumn = draws.integer(0, grid.columns);
      const keyRow = draws.integer(0, grid.rows);
      if (grid.room(keyColumn, keyRow) === grid.lockedRoom) continue;
      grid.addObject(keyColumn, keyRow, 'key', door.color);
      return;
    }
  }
}

function drawInstruction(grid: RoomGrid, rules: DrawnMission, kinds: readonly MissionKind[]): Instruction {
  switch (grid.draws.pick(kinds)) {
    case 'action':
      return drawAction(grid, rules);
    case 'and':
      return sequence('and', drawAction(grid, rules), drawAction(grid, rules));
    case 'seq': {
      const first = drawInstruction(grid, rules, ['action', 'and']);
      const second = drawInstruction(grid, rules, ['action', 'and']);
      return sequence(grid.draws.pick(['before', 'after'] as const), first, second);
    }
  }
}

function drawAction(grid: RoomGrid, rules: DrawnMission): Instruction {
  switch (grid.draws.pick(rules.actions)) {
    case 'goto':
      return goTo(drawDescription(grid, rules, ANY));
    case 'pickup':
      return pickUp(drawDescription(grid, rules, CARRIABLE));
    case 'open':
      return openDoor(drawDescription(grid, rules, DOOR));
    case 'putnext': {
      const moved = drawDescription(grid, rules, CARRIABLE);
      return putNext(moved, drawDescription(grid, rules, ANY));
    }
  }
}

function drawDescription(
  grid: RoomGrid,
  rules: DrawnMission,
  types: readonly (typeof ANY)[number][],
): Description {
  const { draws, lockedRoom } = grid;
  for (let tries = 0; tries <= DESCRIBING_TRIES; tries++) {
    const color = draws.pick([null, ...COLORS]);
    const type = draws.pick(types);
    const location = rules.locations && draws.coin() ? draws.pick(LOCATIONS) : null;
    const description = new Description(type, color, location);
    description.find(grid);
    if (description.cells.length === 0) continue;
    if (rules.implicitUnlock || !lockedRoom) return description;
    if (description.cells.some(({ x, y }) => !grid.isInRoom(lockedRoom, x, y))) return description;
  }
  throw new LayoutRejected();
}
