import type { Side } from './draws';
import type { WorldObject } from './objects';

/** A square of a RoomGrid, sharing its walls with its neighbours. Lists of four go by side. */
export interface Room {
  /** Upper left corner, on the wall. */
  readonly x: number;
  readonly y: number;
  /** `opening` where the wall was taken away. */
  readonly doors: (WorldObject | 'opening' | null)[];
  readonly doorCells: ({ x: number; y: number } | null)[];
  readonly neighbors: (Room | null)[];
  /** As the last door added to it said. */
  locked: boolean;
  readonly objects: WorldObject[];
}

export function opposite(side: Side): Side {
  return ((side + 2) % 4) as Side;
}

/** The doors of a room, without the sides that have none. */
export function doorsOf({ doors }: Room): WorldObject[] {
  return doors.filter((door) => door !== null && door !== 'opening');
}
