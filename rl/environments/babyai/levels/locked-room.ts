import type { LayoutRules } from '../level';
import type { WorldObject } from '../objects';
import type { Room } from '../room';
import type { RoomGrid } from '../room-grid';

interface RoomPlace {
  column: number;
  row: number;
}

export interface LockedRoom extends RoomPlace {
  room: Room;
  door: WorldObject;
  /** Where distractors go. */
  distractorRooms: RoomPlace[];
}

/**
 * Locks a drawn room of a three by three grid and puts its key into another. Upstream compares the drawn numbers by
 * identity, so there the key may land in the locked room itself, and distractors go there too; `solvable` mends both.
 */
export function lockRoom(grid: RoomGrid, { solvable }: LayoutRules): LockedRoom {
  const { draws } = grid;
  const column = draws.integer(0, grid.columns);
  const row = draws.integer(0, grid.rows);
  const door = grid.addDoor(column, row, { locked: true });
  const isLocked = (place: RoomPlace): boolean => place.column === column && place.row === row;
  for (;;) {
    const place = { column: draws.integer(0, grid.columns), row: draws.integer(0, grid.rows) };
    if (solvable && isLocked(place)) continue;
    grid.addObject(place.column, place.row, 'key', door.color);
    break;
  }
  const places = Array.from({ length: grid.columns * grid.rows }, (_, index) => ({
    column: Math.floor(index / grid.rows),
    row: index % grid.rows,
  }));
  const distractorRooms = places.filter((place) => !(solvable && isLocked(place)));
  return { column, row, room: grid.room(column, row), door, distractorRooms };
}

export function placeAgentOutside(grid: RoomGrid, room: Room): void {
  do grid.placeAgent();
  while (grid.roomAt(grid.agentX, grid.agentY) === room);
}
