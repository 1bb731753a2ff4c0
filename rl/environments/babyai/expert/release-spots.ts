import type { Grid } from '../grid';
import { DIRECTION_X, DIRECTION_Y } from '../objects';
import type { Routes } from './routes';

/** Primitives that a spot is held to cost more where something put there may bar a way. */
const BARRING_COST = 8;
/** The same where it may bar the way to another object. */
const CROWDING_COST = 2;

interface Spot {
  readonly cell: number;
  /** Primitives to face it. */
  readonly cost: number;
  /** Steps from it to where the agent goes then, and what it may bar. */
  readonly rest: number;
}

/**
 * Cells to put down what is in the hand on the way to the cell `toward`:
 * those on the way, those near its end (a key is let go behind the door it opens), and the nearest.
 */
export function releaseSpots(grid: Grid, routes: Routes, toward: number): ReadonlySet<number> {
  const distances = distancesFrom(grid, toward);
  const spots: Spot[] = [];
  grid.cells.forEach((object, cell) => {
    const cost = object ? Infinity : routes.costToFace(cell);
    if (cost === Infinity) return;
    spots.push({ cell, cost, rest: (distances[cell] ?? 0) + barringCost(grid, cell) });
  });
  return new Set([
    ...least(spots, ({ cost, rest }) => cost + rest, 3),
    ...least(spots, ({ cost, rest }) => rest + cost / spots.length, 2),
    ...least(spots, ({ cost }) => cost, 1),
  ]);
}

function least(spots: readonly Spot[], score: (spot: Spot) => number, count: number): number[] {
  return [...spots]
    .sort((left, right) => score(left) - score(right))
    .slice(0, count)
    .map(({ cell }) => cell);
}

/** Steps from a cell to every other, through all but walls; -1 where there is no way. */
function distancesFrom({ cells, width }: Grid, start: number): Int16Array {
  const distances = new Int16Array(cells.length).fill(-1);
  distances[start] = 0;
  const queue = [start];
  for (const cell of queue) {
    DIRECTION_X.forEach((x, direction) => {
      const next = cell + x + width * (DIRECTION_Y[direction] ?? 0);
      if (distances[next] !== -1 || cells[next]?.type === 'wall' || cells[next] === undefined) return;
      distances[next] = (distances[cell] ?? 0) + 1;
      queue.push(next);
    });
  }
  return distances;
}

/** The eight neighbours of a cell, around it in order; those with a common side have an even index. */
const RING: readonly (readonly [x: number, y: number])[] = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
];

function barringCost({ cells, width }: Grid, cell: number): number {
  const ring = RING.map(([x, y]) => cells[cell + x + width * y]);
  const isPassable = ring.map((object) => object === null || object?.type === 'door');
  const crowds = ring.some((object, index) => index % 2 === 0 && object?.isCarriable);
  return (passages(isPassable) > 1 ? BARRING_COST : 0) + (crowds ? CROWDING_COST : 0);
}

/** Ways onto the middle cell that are not joined to one another around it. */
function passages(isPassable: readonly boolean[]): number {
  let count = 0;
  for (let side = 0; side < isPassable.length; side += 2) {
    const corner = isPassable[(side + 1) % isPassable.length];
    const next = isPassable[(side + 2) % isPassable.length];
    if (isPassable[side] && !(corner && next)) count++;
  }
  return count;
}
