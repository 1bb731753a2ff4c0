import { DIRECTION_X, DIRECTION_Y, type Direction, type WorldObject } from './objects';

export interface GridShape {
  /** Cells along a room's side, its walls included; neighbouring rooms share a wall. */
  roomSize: number;
  rows: number;
  columns: number;
}

/** A rectangle of cells with the agent on it. */
export class Grid {
  readonly roomSize: number;
  readonly rows: number;
  readonly columns: number;
  readonly width: number;
  readonly height: number;
  /** Row by row, length width * height; null is empty floor. */
  readonly cells: (WorldObject | null)[];
  agentX = -1;
  agentY = -1;
  direction: Direction = 0;

  constructor(shape: GridShape) {
    this.roomSize = shape.roomSize;
    this.rows = shape.rows;
    this.columns = shape.columns;
    this.width = (shape.roomSize - 1) * shape.columns + 1;
    this.height = (shape.roomSize - 1) * shape.rows + 1;
    this.cells = new Array<WorldObject | null>(this.width * this.height).fill(null);
  }

  contains(x: number, y: number): boolean {
    return x >= 0 && y >= 0 && x < this.width && y < this.height;
  }

  /** What stands on a cell within the grid. */
  at(x: number, y: number): WorldObject | null {
    return this.cells[y * this.width + x] ?? null;
  }

  put(x: number, y: number, object: WorldObject | null): void {
    this.cells[y * this.width + x] = object;
  }

  get frontX(): number {
    return this.agentX + DIRECTION_X[this.direction];
  }

  get frontY(): number {
    return this.agentY + DIRECTION_Y[this.direction];
  }

  /** The corner of the room that holds a cell; of two rooms that share a wall, the right or lower one. */
  roomCorner(x: number, y: number): { x: number; y: number } {
    const inner = this.roomSize - 1;
    return { x: Math.floor(x / inner) * inner, y: Math.floor(y / inner) * inner };
  }

  /** Whether a cell lies in the square of the room with this corner, walls included. */
  isInRoom(corner: { x: number; y: number }, x: number, y: number): boolean {
    return x >= corner.x && y >= corner.y && x < corner.x + this.roomSize && y < corner.y + this.roomSize;
  }
}
