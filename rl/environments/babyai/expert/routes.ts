import type { Grid } from '../grid';
import { DIRECTION_X, DIRECTION_Y, Primitive, turned, type Direction, type WorldObject } from '../objects';

/** Primitives of stepping onto a cell beyond the step itself, by what stands there; Infinity where none may. */
export type EntryCost = (object: WorldObject | null) => number;

/** A way to face a cell. */
export interface Route {
  /** Turns, steps, and a toggle before each shut door. */
  readonly primitives: readonly Primitive[];
  /** What must be out of the way before the route can be walked, in its order. */
  readonly obstacles: readonly WorldObject[];
}

/** An entry cost up to this is paid on the way, by a toggle; a higher one stands for an obstacle. */
export const TOGGLE_COST = 1;

const UNREACHED = 0x7fffffff;

/** The cheapest ways from the agent's pose to every other (Dijkstra over cell and direction). */
export class Routes {
  private readonly cost: Int32Array;
  private readonly parent: Int32Array;
  private readonly ahead: readonly number[];
  private readonly entry: Float64Array;
  private readonly start: number;

  constructor(
    private readonly grid: Grid,
    entryCost: EntryCost,
  ) {
    const { width, cells, agentX, agentY, direction } = grid;
    this.ahead = DIRECTION_X.map((x, way) => x + width * (DIRECTION_Y[way] ?? 0));
    this.entry = Float64Array.from(cells, entryCost);
    this.cost = new Int32Array(cells.length * 4).fill(UNREACHED);
    this.parent = new Int32Array(cells.length * 4).fill(-1);
    this.start = (agentY * width + agentX) * 4 + direction;
    this.spread();
  }

  private spread(): void {
    const { cost, ahead, entry } = this;
    /** Poses by cost; a pose may wait in several and counts in the cheapest. */
    const waiting: number[][] = [[this.start]];
    cost[this.start] = 0;
    for (let spent = 0; spent < waiting.length; spent++) {
      for (const pose of waiting[spent] ?? []) {
        if (cost[pose] !== spent) continue;
        const cell = pose >> 2;
        const direction = (pose & 3) as Direction;
        const front = cell + (ahead[direction] ?? 0);
        const step = entry[front] ?? Infinity;
        if (step !== Infinity) this.reach(front * 4 + direction, spent + 1 + step, pose, waiting);
        this.reach(cell * 4 + turned(direction, 3), spent + 1, pose, waiting);
        this.reach(cell * 4 + turned(direction, 1), spent + 1, pose, waiting);
      }
    }
  }

  private reach(pose: number, spent: number, parent: number, waiting: number[][]): void {
    if (spent >= (this.cost[pose] ?? 0)) return;
    this.cost[pose] = spent;
    this.parent[pose] = parent;
    while (waiting.length <= spent) waiting.push([]);
    waiting[spent]?.push(pose);
  }

  /** Cost of the cheapest way to face a cell; Infinity where there is none. */
  costToFace(cell: number): number {
    const pose = this.poseToFace(cell);
    return pose < 0 ? Infinity : (this.cost[pose] ?? Infinity);
  }

  /** The cheapest way to face a cell, or null where there is none. */
  toFace(cell: number): Route | null {
    const end = this.poseToFace(cell);
    if (end < 0) return null;
    const primitives: Primitive[] = [];
    const obstacles: WorldObject[] = [];
    for (let pose = end; pose !== this.start;) {
      const parent = this.parent[pose] ?? this.start;
      primitives.push(primitiveBetween(parent, pose));
      const entry = pose >> 2 === parent >> 2 ? 0 : (this.entry[pose >> 2] ?? 0);
      const entered = this.grid.cells[pose >> 2];
      if (entry > 0 && entered?.type === 'door') primitives.push(Primitive.toggle);
      if (entry > TOGGLE_COST && entered) obstacles.push(entered);
      pose = parent;
    }
    return { primitives: primitives.reverse(), obstacles: obstacles.reverse() };
  }

  /** The cheapest pose that faces a cell, -1 where none is reached. */
  private poseToFace(cell: number): number {
    let best = -1;
    let least = UNREACHED;
    this.ahead.forEach((step, direction) => {
      const pose = (cell - step) * 4 + direction;
      const spent = this.cost[pose] ?? UNREACHED;
      if (spent >= least) return;
      best = pose;
      least = spent;
    });
    return best;
  }
}

function primitiveBetween(from: number, to: number): Primitive {
  if (from >> 2 !== to >> 2) return Primitive.forward;
  return turned((from & 3) as Direction, 1) === (to & 3) ? Primitive.right : Primitive.left;
}
