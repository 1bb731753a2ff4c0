import { DIRECTION_X, DIRECTION_Y, WALL, type WorldObject } from './objects';
import type { World } from './world';

/** Cells along a side of the view. */
const VIEW_SIZE = 7;
const CELLS = VIEW_SIZE * VIEW_SIZE;
/** The agent stands in the middle of the nearest row; cell index = row * 7 + column, row 0 farthest, column 0 left. */
const AGENT_COLUMN = 3;
const AGENT_ROW = 6;
const AGENT_CELL = AGENT_ROW * VIEW_SIZE + AGENT_COLUMN;
export const FRONT_CELL = AGENT_CELL - VIEW_SIZE;

/** Steps ahead of the agent, by view cell. */
export const FORWARD = Int8Array.from(
  { length: CELLS },
  (_, cell) => AGENT_ROW - Math.floor(cell / VIEW_SIZE),
);
/** Steps to the agent's right, negative to the left, by view cell. */
export const RIGHT = Int8Array.from({ length: CELLS }, (_, cell) => (cell % VIEW_SIZE) - AGENT_COLUMN);

/** The cells but the agent's own by Manhattan distance; of equally near ones the farthest row first, then from the left. */
export const NEAREST_FIRST = Array.from({ length: CELLS }, (_, cell) => cell)
  .filter((cell) => cell !== AGENT_CELL)
  .sort((left, right) => distance(left) - distance(right));

function distance(cell: number): number {
  return (FORWARD[cell] ?? 0) + Math.abs(RIGHT[cell] ?? 0);
}

const UNSEEN = 0;
const EMPTY = 1;
const FIRST_OBJECT = 2;

/** What the agent sees: the 7 by 7 cells ahead of it, less those behind walls and shut doors. */
export class View {
  /** The object seen, by view cell; null for floor, for what is hidden and for cells off the left or upper edge. */
  readonly objects = new Array<WorldObject | null>(CELLS).fill(null);
  /** 1 where the cell is seen. */
  readonly seen = new Uint8Array(CELLS);
  private codes = new Uint8Array(CELLS);
  private previous = new Uint8Array(CELLS);
  /** Cells ahead and to the right, before occlusion. */
  private readonly ahead = new Array<WorldObject | null>(CELLS).fill(null);

  constructor(private readonly world: World) {
    this.look();
  }

  /** Looks anew; whether anything looks different from the last time. */
  look(): boolean {
    [this.codes, this.previous] = [this.previous, this.codes];
    this.readCells();
    this.spreadSight();
    this.encode();
    for (let cell = 0; cell < CELLS; cell++) {
      if (this.codes[cell] !== this.previous[cell]) return true;
    }
    return false;
  }

  /** World column of a view cell. */
  x(cell: number): number {
    const { agentX, direction } = this.world.grid;
    return (
      agentX + DIRECTION_X[direction] * (FORWARD[cell] ?? 0) - DIRECTION_Y[direction] * (RIGHT[cell] ?? 0)
    );
  }

  /** World row of a view cell. */
  y(cell: number): number {
    const { agentY, direction } = this.world.grid;
    return (
      agentY + DIRECTION_Y[direction] * (FORWARD[cell] ?? 0) + DIRECTION_X[direction] * (RIGHT[cell] ?? 0)
    );
  }

  private readCells(): void {
    const { grid } = this.world;
    for (let cell = 0; cell < CELLS; cell++) {
      const x = this.x(cell);
      const y = this.y(cell);
      this.ahead[cell] = grid.contains(x, y) ? grid.at(x, y) : WALL;
    }
  }

  /** Minigrid's process_vis: sight spreads from the agent sideways and ahead, through whatever does not block it. */
  private spreadSight(): void {
    const { seen } = this;
    seen.fill(0);
    seen[AGENT_CELL] = 1;
    for (let row = AGENT_ROW; row >= 0; row--) {
      const first = row * VIEW_SIZE;
      for (let column = 0; column < VIEW_SIZE - 1; column++) this.spread(first + column, 1, row > 0);
      for (let column = VIEW_SIZE - 1; column > 0; column--) this.spread(first + column, -1, row > 0);
    }
  }

  private spread(cell: number, sideways: 1 | -1, hasRowAhead: boolean): void {
    if (this.seen[cell] === 0 || this.ahead[cell]?.blocksSight) return;
    this.seen[cell + sideways] = 1;
    if (!hasRowAhead) return;
    this.seen[cell + sideways - VIEW_SIZE] = 1;
    this.seen[cell - VIEW_SIZE] = 1;
  }

  private encode(): void {
    this.ahead[AGENT_CELL] = this.world.carrying;
    for (let cell = 0; cell < CELLS; cell++) {
      const object = this.seen[cell] === 1 ? (this.ahead[cell] ?? null) : null;
      this.codes[cell] = this.seen[cell] === 0 ? UNSEEN : object ? FIRST_OBJECT + object.code : EMPTY;
      this.objects[cell] = object && this.x(cell) >= 0 && this.y(cell) >= 0 ? object : null;
    }
  }
}
