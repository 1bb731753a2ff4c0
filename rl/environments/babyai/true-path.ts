import type { Grid } from './grid';
import { DIRECTION_X, DIRECTION_Y, Primitive, turned, type Direction, type WorldObject } from './objects';

export interface Path {
  /** Turns and steps, in order. */
  actions: Primitive[];
  /** The first door the path leads through, open or not. */
  firstDoor: WorldObject | null;
}

/**
 * The shortest way to face a cell on the true grid, or null where there is none. Shut doors count as passable, locked
 * ones with the key at hand only; other objects bar the way.
 */
export function shortestPath(grid: Grid, x: number, y: number, carrying: WorldObject | null): Path | null {
  const goal = y * grid.width + x;
  const ahead = DIRECTION_X.map((dx, direction) => dx + grid.width * (DIRECTION_Y[direction] ?? 0));
  const start = (grid.agentY * grid.width + grid.agentX) * 4 + grid.direction;
  const parents = new Int32Array(grid.cells.length * 4).fill(-1);
  const queue = [start];
  parents[start] = start;
  const push = (cell: number, direction: Direction, parent: number): void => {
    const state = cell * 4 + direction;
    if (parents[state] !== -1) return;
    parents[state] = parent;
    queue.push(state);
  };
  for (const state of queue) {
    const cell = state >> 2;
    const direction = (state & 3) as Direction;
    const front = cell + (ahead[direction] ?? 0);
    if (front === goal) return readPath(grid, parents, start, state);
    if (isPassable(grid.cells[front] ?? null, carrying)) push(front, direction, state);
    push(cell, turned(direction, 3), state);
    push(cell, turned(direction, 1), state);
  }
  return null;
}

function isPassable(object: WorldObject | null, carrying: WorldObject | null): boolean {
  if (!object) return true;
  if (object.type !== 'door') return false;
  return object.state !== 'locked' || (carrying?.type === 'key' && carrying.color === object.color);
}

function readPath(grid: Grid, parents: Int32Array, start: number, end: number): Path {
  const actions: Primitive[] = [];
  let firstDoor: WorldObject | null = null;
  for (let state = end; state !== start;) {
    const parent = parents[state] ?? start;
    const action = primitiveBetween(parent, state);
    actions.push(action);
    const entered = grid.cells[state >> 2];
    if (action === Primitive.forward && entered?.type === 'door') firstDoor = entered;
    state = parent;
  }
  return { actions: actions.reverse(), firstDoor };
}

function primitiveBetween(from: number, to: number): Primitive {
  if (from >> 2 !== to >> 2) return Primitive.forward;
  return turned((from & 3) as Direction, 1) === (to & 3) ? Primitive.right : Primitive.left;
}
