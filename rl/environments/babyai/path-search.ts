import { DIRECTION_X, DIRECTION_Y, Primitive, turned, type Direction } from './objects';
import { NEAREST_FIRST, type View } from './view';

/** Cells are numbered within a frame of 8 by 8 cells around the view, with a barred border of one. */
const STRIDE = 10;
const FRAME_CELLS = STRIDE * STRIDE;
/** A pose is cell * 4 + direction. */
const POSES = FRAME_CELLS * 4;
/** Cell number of the step ahead less the cell's own, by direction. */
const AHEAD = DIRECTION_X.map((x, direction) => x + STRIDE * (DIRECTION_Y[direction] ?? 0));

/**
 * AgentGym's way finding from the agent's pose: breadth first over (cell, direction).
 *
 * Upstream searches anew for each goal, forward before left before right. It marks a pose as visited when it leaves the
 * queue, and until then a later push overwrites the pose's parent. Which pose reaches a goal first does not depend on
 * the marking, nor on the goal: one plain search serves all goals of an observation, no further than asked. A pose's
 * last parent is the neighbour whose own last copy leaves the queue last, which is the first to reach it in a plain
 * search that tries the actions in the opposite order: that search gives the ways.
 */
export class PathSearch {
  private readonly blocked = new Uint8Array(FRAME_CELLS);
  /** Poses in the order they are first reached. */
  private readonly queue = new Int16Array(POSES);
  private readonly reached = new Uint8Array(POSES);
  /** The first pose to leave the queue that faces, or stands on, a cell; -1 where none has. */
  private readonly facing = new Int16Array(FRAME_CELLS);
  private readonly standing = new Int16Array(FRAME_CELLS);
  private head = 0;
  private tail = 0;
  private start = 0;
  private originX = 0;
  private originY = 0;
  private readonly wayQueue = new Int16Array(POSES);
  private readonly parents = new Int16Array(POSES);

  /** Begins anew from the agent's pose; `view` bounds the search and holds what blocks it. */
  begin(view: View, agentX: number, agentY: number, direction: Direction): void {
    this.frame(agentX, agentY, direction);
    for (const cell of NEAREST_FIRST) {
      const object = view.objects[cell];
      if (object && object.type !== 'door') this.blocked[this.cell(view.x(cell), view.y(cell))] = 1;
    }
    this.reached.fill(0);
    this.facing.fill(-1);
    this.standing.fill(-1);
    this.start = this.cell(agentX, agentY) * 4 + direction;
    this.reached[this.start] = 1;
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
  isStart(pose: number): boolean {
    return pose === this.start;
  }

  /** The primitives that lead to an end pose. */
  way(end: number): Primitive[] {
    this.findParents(end);
    const actions: Primitive[] = [];
    for (let pose = end; pose !== this.start;) {
      const parent = this.parents[pose] ?? this.start;
      actions.push(primitiveBetween(parent, pose));
      pose = parent;
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
    const pose = found[cell] ?? -1;
    return pose < 0 ? null : pose;
  }

  private visitNext(): void {
    const pose = this.queue[this.head++] ?? 0;
    const cell = pose >> 2;
    const direction = (pose & 3) as Direction;
    const ahead = cell + (AHEAD[direction] ?? 0);
    if (this.facing[ahead] === -1) this.facing[ahead] = pose;
    if (this.standing[cell] === -1) this.standing[cell] = pose;
    this.reach(ahead * 4 + direction);
    this.reach(cell * 4 + turned(direction, 3));
    this.reach(cell * 4 + turned(direction, 1));
  }

  private reach(pose: number): void {
    if (this.reached[pose] === 1 || this.blocked[pose >> 2] === 1) return;
    this.reached[pose] = 1;
    this.queue[this.tail++] = pose;
  }

  /** Searches right before left before forward, until it knows the parents on the way to an end pose. */
  private findParents(end: number): void {
    const { parents, wayQueue, blocked } = this;
    parents.fill(-1);
    parents[this.start] = this.start;
    wayQueue[0] = this.start;
    let tail = 1;
    for (let head = 0; head < tail && parents[end] === -1; head++) {
      const pose = wayQueue[head] ?? 0;
      const cell = pose >> 2;
      const direction = (pose & 3) as Direction;
      const ahead = cell + (AHEAD[direction] ?? 0);
      for (const next of [
        cell * 4 + turned(direction, 1),
        cell * 4 + turned(direction, 3),
        ahead * 4 + direction,
      ]) {
        if (parents[next] !== -1 || blocked[next >> 2] === 1) continue;
        parents[next] = pose;
        wayQueue[tail++] = next;
      }
    }
  }
}

/** The action that leads from a pose to a neighbouring one. */
function primitiveBetween(from: number, to: number): Primitive {
  if (from >> 2 !== to >> 2) return Primitive.forward;
  return turned((from & 3) as Direction, 1) === (to & 3) ? Primitive.right : Primitive.left;
}
