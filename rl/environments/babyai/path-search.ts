import { DIRECTION_X, DIRECTION_Y, Primitive, turned, type Direction } from './objects';
import { NEAREST_FIRST, type View } from './view';

/** Cells are numbered within a frame of 8 by 8 cells around the view, with a barred border of one. */
const STRIDE = 10;
const FRAME_CELLS = STRIDE * STRIDE;
const STATES = FRAME_CELLS * 4;
/** Cell number of the step ahead less the cell's own, by direction. */
const AHEAD = DIRECTION_X.map((x, direction) => x + STRIDE * (DIRECTION_Y[direction] ?? 0));

/**
 * AgentGym's way finding from the agent's pose: breadth first over (cell, direction), forward before left before right.
 *
 * Upstream marks a pose as visited when it leaves the queue and lets later pushes overwrite its parent until then, so
 * its ways are not always the shortest; the same ways come out here. Upstream searches anew for each goal; the order
 * of the poses does not depend on the goal, so one search serves all goals of an observation, no further than asked.
 */
export class PathSearch {
  private readonly blocked = new Uint8Array(FRAME_CELLS);
  private readonly visited = new Uint8Array(STATES);
  private readonly parentState = new Int16Array(STATES);
  private readonly parentAction = new Uint8Array(STATES);
  /** The first pose to leave the queue that faces, or stands on, a cell; -1 where none has. */
  private readonly facing = new Int16Array(FRAME_CELLS);
  private readonly standing = new Int16Array(FRAME_CELLS);
  /** Poses may wait several times. */
  private queue = new Int16Array(512);
  private head = 0;
  private tail = 0;
  private start = 0;
  private originX = 0;
  private originY = 0;

  /** Begins anew from the agent's pose; `view` bounds the search and holds what blocks it. */
  begin(view: View, agentX: number, agentY: number, direction: Direction): void {
    this.frame(agentX, agentY, direction);
    for (const cell of NEAREST_FIRST) {
      const object = view.objects[cell];
      if (object && object.type !== 'door') this.blocked[this.cell(view.x(cell), view.y(cell))] = 1;
    }
    this.visited.fill(0);
    this.facing.fill(-1);
    this.standing.fill(-1);
    this.start = this.cell(agentX, agentY) * 4 + direction;
    this.queue[0] = this.start;
    this.head = 0;
    this.tail = 1;
  }

  /** The end pose of the way to face a cell in view, or null where there is none. Good until the next `begin`. */
  toFace(x: number, y: number): number | null {
    return this.find(this.facing, this.cell(x, y));
  }

  /** The end pose of the way onto a cell in view, or null where there is none. Good until the next `begin`. */
  toStand(x: number, y: number): number | null {
    return this.find(this.standing, this.cell(x, y));
  }

  /** Whether a way has no steps. */
  isStart(state: number): boolean {
    return state === this.start;
  }

  /** The primitives that lead to an end pose. */
  way(end: number): Primitive[] {
    const actions: Primitive[] = [];
    for (let state = end; state !== this.start; state = this.parentState[state] ?? this.start) {
      actions.push((this.parentAction[state] ?? 0) as Primitive);
    }
    return actions.reverse();
  }

  /**
   * Bars all but the cells upstream allows: from the view's far left corner seven cells on, plus one more along an axis
   * where the corner has the greater coordinate.
   */
  private frame(agentX: number, agentY: number, direction: Direction): void {
    const forwardX = DIRECTION_X[direction];
    const forwardY = DIRECTION_Y[direction];
    const cornerX = agentX + 6 * forwardX + 3 * forwardY;
    const cornerY = agentY + 6 * forwardY - 3 * forwardX;
    const growsX = -forwardY - forwardX > 0;
    const growsY = forwardX - forwardY > 0;
    this.originX = (growsX ? cornerX : cornerX - 7) - 1;
    this.originY = (growsY ? cornerY : cornerY - 7) - 1;
    const lastX = growsX ? 7 : 8;
    const lastY = growsY ? 7 : 8;
    this.blocked.fill(1);
    for (let y = 1; y <= lastY; y++) this.blocked.fill(0, y * STRIDE + 1, y * STRIDE + lastX + 1);
  }

  private cell(x: number, y: number): number {
    return (y - this.originY) * STRIDE + (x - this.originX);
  }

  private find(found: Int16Array, cell: number): number | null {
    while ((found[cell] ?? -1) < 0 && this.head < this.tail) this.visitNext();
    const state = found[cell] ?? -1;
    return state < 0 ? null : state;
  }

  private visitNext(): void {
    const state = this.queue[this.head++] ?? 0;
    const cell = state >> 2;
    const direction = (state & 3) as Direction;
    const ahead = cell + (AHEAD[direction] ?? 0);
    if (this.visited[state] === 0) {
      this.visited[state] = 1;
      if (this.facing[ahead] === -1) this.facing[ahead] = state;
      if (this.standing[cell] === -1) this.standing[cell] = state;
    }
    this.push(ahead, direction, state, Primitive.forward);
    this.push(cell, turned(direction, 3), state, Primitive.left);
    this.push(cell, turned(direction, 1), state, Primitive.right);
  }

  private push(cell: number, direction: Direction, parent: number, action: Primitive): void {
    const state = cell * 4 + direction;
    if (this.blocked[cell] === 1 || this.visited[state] === 1) return;
    if (this.tail === this.queue.length) this.grow();
    this.queue[this.tail++] = state;
    this.parentState[state] = parent;
    this.parentAction[state] = action;
  }

  private grow(): void {
    const longer = new Int16Array(this.queue.length * 2);
    longer.set(this.queue);
    this.queue = longer;
  }
}
