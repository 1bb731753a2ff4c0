import { DIRECTION_X, DIRECTION_Y, Primitive, type WorldObject } from '../objects';
import { pendingParts, type Part } from '../verifier';
import type { World } from '../world';
import { LOCKED_COST, Pursuit, STUCK_COST, type Goal, type Outlook, type Stride } from './pursuit';
import { isKeyOf, isLocked } from './rules';

/** About what it takes to free the hand. */
const FULL_HAND_COST = 3;

/** What can sensibly be done next in a state, and about how much is left to do. */
export class Survey {
  readonly strides: readonly Stride[];
  /** Primitives to the end of the mission, about. */
  readonly estimate: number;
  private readonly pursuit: Pursuit;

  constructor(
    private readonly world: World,
    private readonly outlook: Outlook,
  ) {
    const { active, later } = pendingParts(world.progress);
    this.pursuit = new Pursuit(world, outlook);
    const left = active.reduce((sum, part) => sum + this.advance(part), 0);
    this.estimate = left + later.length * outlook.laterCost;
    // Where all is done, any action shows it.
    this.strides = active.length > 0 ? this.pursuit.strides : [[Primitive.left]];
  }

  /** Pursues what brings a part nearer; gives about how far it is. */
  private advance(part: Part): number {
    switch (part.kind) {
      case 'goto': {
        const { width } = this.world.grid;
        return this.pursuit.pursueNearest(part.target.cells.map(({ x, y }) => goal(y * width + x, [])));
      }
      case 'open':
        return this.advanceOpen(part.target.objects);
      case 'pickup':
        return this.advancePickUp(part.target.objects, 0);
      case 'putnext':
        return this.advancePutNext(part.target.objects, part.beside.objects);
    }
  }

  private advanceOpen(doors: readonly WorldObject[]): number {
    const { pursuit, world, outlook } = this;
    const goals: Goal[] = [];
    let toUnlock = Infinity;
    for (const door of doors) {
      const toFace = goal(pursuit.where.get(door) ?? -1, [Primitive.toggle]);
      if (isLocked(door) && !isKeyOf(world.carrying, door)) {
        if (!outlook.unlockable.has(door) || pursuit.cost(toFace) === Infinity) continue;
        pursuit.clearWay(toFace.cell);
        pursuit.clear(door);
        toUnlock = Math.min(toUnlock, pursuit.cost(toFace) + LOCKED_COST);
      } else if (door.state !== 'open') {
        goals.push(toFace);
      } else if (outlook.rules.shutsDoors) {
        goals.push({ ...toFace, then: [Primitive.toggle, Primitive.toggle] });
      }
    }
    return Math.min(toUnlock, pursuit.pursueNearest(goals));
  }

  /** `rest`: what is left to do once one of the objects is in the hand. */
  private advancePickUp(objects: readonly WorldObject[], rest: number): number {
    const { pursuit } = this;
    const { carrying } = this.world;
    const goals = objects.flatMap((object) => {
      const cell = object.isCarriable ? pursuit.where.get(object) : undefined;
      return cell === undefined ? [] : [goal(cell, [Primitive.pickup], rest)];
    });
    // What is in the hand already counts only when it is taken anew.
    if (carrying && objects.includes(carrying)) pursuit.releaseHere();
    return Math.min(pursuit.pursueNearest(goals) + (carrying ? FULL_HAND_COST : 0), STUCK_COST);
  }

  private advancePutNext(movers: readonly WorldObject[], beside: readonly WorldObject[]): number {
    const { pursuit } = this;
    const { carrying, grid } = this.world;
    const neighbours = new Set(beside.flatMap((object) => this.neighboursOf(object)));
    const free = [...neighbours].filter((cell) => !grid.cells[cell]);
    const spots = free.map((cell) => goal(cell, [Primitive.drop]));
    const [nearest] = pursuit.nearest(spots);
    if (carrying && movers.includes(carrying)) {
      if (nearest) return pursuit.pursueNearest(spots);
      this.makeRoom(neighbours);
      return STUCK_COST;
    }
    if (!carrying && nearest) pursuit.clearWay(nearest.cell);
    if (!carrying && !nearest) this.makeRoom(neighbours);
    const isBesideInHand = carrying !== null && beside.includes(carrying);
    const toSpot = nearest ? pursuit.cost(nearest) : STUCK_COST;
    return this.advancePickUp(movers, isBesideInHand ? 0 : Math.min(toSpot, STUCK_COST));
  }

  private neighboursOf(object: WorldObject): number[] {
    const cell = this.pursuit.where.get(object);
    if (cell === undefined) return [];
    const { width } = this.world.grid;
    return DIRECTION_X.map((x, direction) => cell + x + width * (DIRECTION_Y[direction] ?? 0));
  }

  /** Clears any of the cells. */
  private makeRoom(cells: ReadonlySet<number>): void {
    for (const cell of cells) {
      const object = this.world.grid.cells[cell];
      if (object?.isCarriable) this.pursuit.clear(object);
    }
  }
}

function goal(cell: number, then: Stride, rest = 0): Goal {
  return { cell, then, rest };
}
