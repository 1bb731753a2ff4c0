import { DIRECTION_X, DIRECTION_Y, WALL, type WorldObject } from './objects';
import type { World } from './world';

/** Cells along a side of the view. */
const VIEW_SIZE = 7;
/** Cells of the view. */
export const VIEW_CELLS = VIEW_SIZE * VIEW_SIZE;
/** The agent stands in the middle of the nearest row; cell index = row * 7 + column, row 0 farthest, column 0 left. */
const AGENT_COLUMN = 3;
const AGENT_ROW = 6;
const AGENT_CELL = AGENT_ROW * VIEW_SIZE + AGENT_COLUMN;
export const FRONT_CELL = AGENT_CELL - VIEW_SIZE;

/** Steps ahead of the agent, by view cell. */
export const FORWARD = Int8Array.from(
  { length: VIEW_CELLS },
  (_, cell) => AGENT_ROW - Math.floor(cell / VIEW_SIZE),
);
/** Steps to the agent's right, negative to the left, by view cell. */
export const RIGHT = Int8Array.from({ length: VIEW_CELLS }, (_, cell) => (cell % VIEW_SIZE) - AGENT_COLUMN);

/** The cells but the agent's own by Manhattan distance; of equally near ones the farthest row first, then from the left. */
export const NEAREST_FIRST = Array.from({ length: VIEW_CELLS }, (_, cell) => cell)
  .filter((cell) => cell !== AGENT_CELL)
  .sort((left, right) => distance(left) - distance(right));

function distance(cell: number): number {
  return (FORWARD[cell] ?? 0) + Math.abs(RIGHT[cell] ?? 0);
}

/** World column and row of a view cell less the agent's, by direction * VIEW_CELLS + cell. */
const OFFSET_X = offsets(DIRECTION_X, [-DIRECTION_Y[0], -DIRECTION_Y[1], -DIRECTION_Y[2], -DIRECTION_Y[3]]);
const OFFSET_Y = offsets(DIRECTION_Y, DIRECTION_X);

/** One coordinate of every view cell from that of the steps ahead and to the right, by direction. */
function offsets(ahead: readonly number[], toTheRight: readonly number[]): Int8Array {
  return Int8Array.from({ length: ahead.length * VIEW_CELLS }, (_, index) => {
    const direction = Math.floor(index / VIEW_CELLS);
    const cell = index % VIEW_CELLS;
    const [stepAhead = 0, stepRight = 0] = [ahead[direction], toTheRight[direction]];
    return stepAhead * (FORWARD[cell] ?? 0) + stepRight * (RIGHT[cell] ?? 0);
  });
}

const ROW_BITS = (1 << VIEW_SIZE) - 1;

/**
 * How sight spreads along a row and to the next farther one (Minigrid's process_vis), by (clear << 7) | seen: two sets
 * of the row's columns as bits, those that do not block sight and those seen from the nearer row. The value holds the
 * columns seen of the row in its lower seven bits, those of the farther row in the next seven.
 */
const SPREAD = Uint16Array.from({ length: 1 << (2 * VIEW_SIZE) }, (_, index) =>
  spread(index >> VIEW_SIZE, index & ROW_BITS),
);

function spread(clear: number, seenBefore: number): number {
  let seen = seenBefore;
  let farther = 0;
  for (let column = 0; column < VIEW_SIZE - 1; column++) {
    if ((seen & clear & (1 << column)) === 0) continue;
    seen |= 2 << column;
    farther |= 3 << column;
  }
  for (let column = VIEW_SIZE - 1; column > 0; column--) {
    if ((seen & clear & (1 << column)) === 0) continue;
    seen |= 1 << (column - 1);
    farther |= 3 << (column - 1);
  }
  return (farther << VIEW_SIZE) | seen;
}

const UNSEEN = 0;
const EMPTY = 1;
const FIRST_OBJECT = 2;

/**
 * What the agent sees: the 7 by 7 cells ahead of it, less those behind walls and shut doors. Nothing off the grid is seen,
 * since its outer walls have no doors.
 */
export class View {
  /** The object seen, by view cell; null for floor and for what is hidden. */
  readonly objects = new Array<WorldObject | null>(VIEW_CELLS).fill(null);
  /** 1 where the cell is seen. */
  readonly seen = new Uint8Array(VIEW_CELLS);
  private readonly codes = new Uint8Array(VIEW_CELLS);
  /** The cells of the row at hand, before occlusion. */
  private readonly row = new Array<WorldObject | null>(VIEW_SIZE).fill(null);

  constructor(private readonly world: World) {
    this.look();
  }

  /** Looks anew; whether anything looks different from the last time. */
  look(): boolean {
    let changed = false;
    let seen = 1 << AGENT_COLUMN;
    for (let row = AGENT_ROW; row >= 0; row--) {
      const first = row * VIEW_SIZE;
      const sight = SPREAD[(this.readRow(first) << VIEW_SIZE) | seen] ?? 0;
      // What is carried shows on the agent's own cell, and does not bar the view from it.
      if (row === AGENT_ROW) this.row[AGENT_COLUMN] = this.world.carrying;
      if (this.encodeRow(first, sight & ROW_BITS)) changed = true;
      seen = sight >> VIEW_SIZE;
    }
    return changed;
  }

  /** World column of a view cell. */
  x(cell: number): number {
    const { agentX, direction } = this.world.grid;
    return agentX + (OFFSET_X[direction * VIEW_CELLS + cell] ?? 0);
  }

  /** World row of a view cell. */
  y(cell: number): number {
    const { agentY, direction } = this.world.grid;
    return agentY + (OFFSET_Y[direction * VIEW_CELLS + cell] ?? 0);
  }

  /** Reads a row's cells; gives the columns that do not block sight, as bits. */
  private readRow(first: number): number {
    const { grid } = this.world;
    const rightX = -DIRECTION_Y[grid.direction];
    const rightY = DIRECTION_X[grid.direction];
    let x = this.x(first);
    let y = this.y(first);
    let clear = 0;
    for (let column = 0; column < VIEW_SIZE; column++) {
      const object = grid.contains(x, y) ? grid.at(x, y) : WALL;
      this.row[column] = object;
      if (object === null || !object.blocksSight) clear |= 1 << column;
      x += rightX;
      y += rightY;
    }
    return clear;
  }

  /** Takes over what is seen of the row that was read; whether any of it looks different. */
  private encodeRow(first: number, seen: number): boolean {
    let changed = false;
    for (let column = 0; column < VIEW_SIZE; column++) {
      const cell = first + column;
      const isSeen = (seen >> column) & 1;
      const object = isSeen === 1 ? (this.row[column] ?? null) : null;
      const code = isSeen === 0 ? UNSEEN : object === null ? EMPTY : FIRST_OBJECT + object.code;
      if (this.codes[cell] !== code) {
        this.codes[cell] = code;
        changed = true;
      }
      this.seen[cell] = isSeen;
      this.objects[cell] = object;
    }
    return changed;
  }
}
