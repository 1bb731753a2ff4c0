import type { Grid } from './grid';
import type { Room } from './room';

/** Whether the agent could walk up to every object but walls, doors of any state open. */
export function isEveryObjectReachable(grid: Grid): boolean {
  const { cells, width } = grid;
  const reached = new Uint8Array(cells.length);
  const open = [grid.agentY * width + grid.agentX];
  for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
    if (reached[cell] === 1) continue;
    reached[cell] = 1;
    const object = cells[cell];
    // The outer walls keep the flood within the grid.
    if (!object || object.type === 'door') open.push(cell + 1, cell - 1, cell + width, cell - width);
  }
  return cells.every((object, cell) => !object || object.type === 'wall' || reached[cell] === 1);
}

/** Rooms that doors of any state and openings join to a room, itself included. */
export function countConnectedRooms(start: Room): number {
  const connected = new Set<Room>();
  const open = [start];
  for (let room = open.pop(); room; room = open.pop()) {
    if (connected.has(room)) continue;
    connected.add(room);
    const { doors } = room;
    room.neighbors.forEach((neighbor, side) => {
      if (neighbor && doors[side]) open.push(neighbor);
    });
  }
  return connected.size;
}
