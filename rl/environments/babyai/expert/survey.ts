import { DIRECTION_X, DIRECTION_Y, Primitive, type WorldObject } from '../objects';
import { pendingParts, type Part } from '../verifier';
import type { World } from '../world';
import { releaseSpots } from './release-spots';
import { Routes, TOGGLE_COST } from './routes';
import { bansOf, isKeyOf, isLocked, type ActionRules, type Bans } from './rules';

/** What a search knows of the world from its first state on. */
export interface Outlook {
  readonly rules: ActionRules;
  /** The locked doors whose key is at hand or can be fetched. */
  readonly unlockable: ReadonlySet<WorldObject>;
  /** Doors to leave shut until a part that opens them counts. */
  readonly keptShut: ReadonlySet<WorldObject>;
  /** About what a part costs that does not count yet. */
  readonly laterCost: number;
}

/** Primitives to play in a row. */
export type Stride = readonly Primitive[];

/** About what it takes to move an object out of the way, to fetch a key, to free the hand. */
const BLOCKED_COST = 8;
const LOCKED_COST = 24;
const FULL_HAND_COST = 3;
/** About what it takes to put by what is in the hand and to come back for it. */
const PUT_BY_COST = 10;
/** About what a part costs that no way leads to now. */
const STUCK_COST = 100;

/** Objects of a kind that are pursued at once. */
const GOALS = 4;

interface Goal {
  /** Cell to face. */
  readonly cell: number;
  /** What to do there. */
  readonly then: Stride;
  /** About what is left to do afterwards. */
  readonly rest: number;
}

/** What can sensibly be done next in a state, and about how much is left to do. */
export class Survey {
  readonly strides: Stride[] = [];
  /** Primitives to the end of the mission, about. */
  readonly estimate: number;
  private readonly where = new Map<WorldObject, number>();
  private readonly bans: Bans;
  private readonly kept: ReadonlySet<WorldObject>;
  /** Through obstacles, at a cost. */
  private readonly routes: Routes;
  private clearRoutes: Routes | null = null;
  private readonly pursued = new Set<string>();
  private readonly released = new Set<number>();

  constructor(
    private readonly world: World,
    private readonly outlook: Outlook,
  ) {
    world.grid.cells.forEach((object, cell) => {
      if (object && object.type !== 'wall') this.where.set(object, cell);
    });
    this.bans = bansOf(world, outlook.rules);
    const { active, later } = pendingParts(world.progress);
    this.kept = new Set(
      later
        .flatMap((part) => (part.kind === 'open' ? part.target.objects : []))
        .filter((door) => outlook.keptShut.has(door)),
    );
    this.routes = new Routes(world.grid, (object) => this.entryCost(object));
    const left = active.reduce((sum, part) => sum + this.advance(part), 0);
    this.estimate = left + later.length * outlook.laterCost;
    // All is done, and any action shows it.
    if (active.length === 0) this.strides.push([Primitive.left]);
  }

  private entryCost(object: WorldObject | null): number {
    if (!object) return 0;
    const putBy = this.world.carrying ? PUT_BY_COST : 0;
    if (object.isCarriable) return this.bans.pickUp(object) ? Infinity : BLOCKED_COST + putBy;
    if (object.type !== 'door') return Infinity;
    if (object.state === 'open') return 0;
    if (this.kept.has(object) || this.bans.toggle(object)) return Infinity;
    if (object.state === 'closed' || isKeyOf(this.world.carrying, object)) return TOGGLE_COST;
    return this.outlook.unlockable.has(object) ? LOCKED_COST + putBy : Infinity;
  }

  /** Adds what brings a part nearer; gives about how far it is. */
  private advance(part: Part): number {
    switch (part.kind) {
      case 'goto': {
        const { width } = this.world.grid;
        return this.pursueBest(part.target.cells.map(({ x, y }) => goal(y * width + x, [])));
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
    const { carrying } = this.world;
    const goals: Goal[] = [];
    let estimate = STUCK_COST;
    for (const door of doors) {
      const cell = this.cellOf(door);
      if (isLocked(door) && !isKeyOf(carrying, door)) {
        if (this.outlook.unlockable.has(door) && this.routes.costToFace(cell) < Infinity) {
          this.clearWay(cell);
          this.clear(door);
          estimate = Math.min(estimate, this.routes.costToFace(cell) + LOCKED_COST);
        }
      } else if (door.state !== 'open') {
        goals.push(goal(cell, [Primitive.toggle]));
      } else if (this.outlook.rules.shutsDoors) {
        goals.push(goal(cell, [Primitive.toggle, Primitive.toggle]));
      }
    }
    return Math.min(estimate, this.pursueBest(goals));
  }

  private advancePickUp(objects: readonly WorldObject[], rest: number): number {
    const goals = objects
      .filter((object) => object.isCarriable && this.where.has(object))
      .map((object) => goal(this.cellOf(object), [Primitive.pickup], rest));
    const { carrying, grid } = this.world;
    // What is in the hand already counts only when it is taken anew.
    if (carrying && objects.includes(carrying)) this.release(grid.agentY * grid.width + grid.agentX);
    const left = this.pursueBest(goals) + (carrying ? FULL_HAND_COST : 0);
    return Math.min(left, STUCK_COST);
  }

  private advancePutNext(movers: readonly WorldObject[], beside: readonly WorldObject[]): number {
    const { carrying, grid } = this.world;
    const neighbours = new Set(beside.flatMap((object) => this.neighboursOf(object)));
    const free = [...neighbours].filter((cell) => !grid.cells[cell]);
    const spots = free.map((cell) => goal(cell, [Primitive.drop]));
    const reachable = spots.filter(({ cell }) => this.routes.costToFace(cell) < Infinity);
    if (carrying && movers.includes(carrying)) {
      if (reachable.length > 0) return this.pursueBest(reachable);
      this.clearAny(neighbours);
      return STUCK_COST;
    }
    const isBesideInHand = carrying !== null && beside.includes(carrying);
    const carry = Math.min(isBesideInHand ? 0 : STUCK_COST, ...reachable.map((spot) => this.cost(spot)));
    if (!carrying) {
      const [nearest] = this.ranked(reachable);
      if (nearest) this.clearWay(nearest.cell);
      else this.clearAny(neighbours);
    }
    return this.advancePickUp(movers, carry);
  }

  private neighboursOf(object: WorldObject): number[] {
    const cell = this.where.get(object);
    if (cell === undefined) return [];
    return DIRECTION_X.map(
      (x, direction) => cell + x + this.world.grid.width * (DIRECTION_Y[direction] ?? 0),
    );
  }

  /** Makes room on one of the cells. */
  private clearAny(cells: ReadonlySet<number>): void {
    for (const cell of cells) {
      const object = this.world.grid.cells[cell];
      if (object?.isCarriable) this.clear(object);
    }
  }

  private clearWay(cell: number): void {
    const route = this.routes.toFace(cell);
    for (const obstacle of route?.obstacles ?? []) this.clear(obstacle);
  }

  /** Adds the ways to the nearest goals; gives about how far the nearest is. */
  private pursueBest(goals: readonly Goal[]): number {
    const ranked = this.ranked(goals);
    for (const { cell, then } of ranked) this.pursue(cell, then);
    if (this.clearRoutes && goals.length > ranked.length) this.pursueUnobstructed(goals);
    return ranked[0] ? this.cost(ranked[0]) : STUCK_COST;
  }

  /** Adds the way to the goal that is nearest where nothing is moved: none of the nearest need be it. */
  private pursueUnobstructed(goals: readonly Goal[]): void {
    const routes = this.withoutObstacles();
    const costs = goals.map(({ cell, rest }) => routes.costToFace(cell) + rest);
    const nearest = goals[costs.indexOf(Math.min(...costs))];
    if (nearest) this.pursue(nearest.cell, nearest.then);
  }

  private ranked(goals: readonly Goal[]): Goal[] {
    return goals
      .filter((candidate) => this.cost(candidate) < Infinity)
      .sort((left, right) => this.cost(left) - this.cost(right))
      .slice(0, GOALS);
  }

  private cost({ cell, then, rest }: Goal): number {
    return this.routes.costToFace(cell) + then.length + rest;
  }

  /** Adds the way to a goal, or, where something bars it, what clears it. */
  private pursue(cell: number, then: Stride): void {
    const id = `${cell} ${then.join()}`;
    const route = this.routes.toFace(cell);
    if (this.pursued.has(id) || !route) return;
    this.pursued.add(id);
    const { primitives, obstacles } = route;
    if (this.world.carrying && then[0] === Primitive.pickup) this.release(cell);
    else if (obstacles.length === 0) this.add(primitives, then);
    else this.detour(cell, then);
    for (const obstacle of obstacles) this.clear(obstacle);
  }

  private detour(cell: number, then: Stride): void {
    const route = this.withoutObstacles().toFace(cell);
    if (route) this.add(route.primitives, then);
  }

  private add(way: Stride, then: Stride): void {
    // What the agent faces already was judged already, unless something is done.
    if (way.length === 0 && then.length === 0) this.strides.push([Primitive.left, Primitive.right]);
    else this.strides.push([...way, ...then]);
    // A drop counts only where the hand was seen full before.
    if (way.length === 0 && then[0] === Primitive.drop) {
      this.strides.push([Primitive.left, Primitive.right, ...then]);
    }
  }

  /** Adds what gets an obstacle out of the way. */
  private clear(obstacle: WorldObject): void {
    if (obstacle.isCarriable) this.pursue(this.cellOf(obstacle), [Primitive.pickup]);
    else this.fetchKey(obstacle);
  }

  private fetchKey(door: WorldObject): void {
    const goals: Goal[] = [];
    for (const [object, cell] of this.where) {
      if (isKeyOf(object, door)) goals.push(goal(cell, [Primitive.pickup]));
      else if (this.outlook.rules.opensBoxes && isKeyOf(object.contents, door))
        goals.push(goal(cell, [Primitive.toggle]));
    }
    this.pursueBest(goals);
  }

  /** Adds ways to put down what is in the hand before going to a cell. */
  private release(toward: number): void {
    if (this.released.has(toward)) return;
    if (this.released.size === 0) this.unlockDoors();
    this.released.add(toward);
    const routes = this.withoutObstacles();
    for (const cell of releaseSpots(this.world.grid, routes, toward)) {
      const route = routes.toFace(cell);
      if (route) this.add(route.primitives, [Primitive.drop]);
    }
  }

  /** Adds the use of a key before it is let go: behind its door there may be no room for it. */
  private unlockDoors(): void {
    for (const [door, cell] of this.where) {
      if (!isLocked(door) || !isKeyOf(this.world.carrying, door) || this.entryCost(door) === Infinity)
        continue;
      const route = this.withoutObstacles().toFace(cell);
      if (route) this.add(route.primitives, [Primitive.toggle]);
    }
  }

  private withoutObstacles(): Routes {
    this.clearRoutes ??= new Routes(this.world.grid, (object) => {
      const cost = this.entryCost(object);
      return cost > TOGGLE_COST ? Infinity : cost;
    });
    return this.clearRoutes;
  }

  /** Cell of an object, -1 where it is not on the grid. */
  private cellOf(object: WorldObject): number {
    return this.where.get(object) ?? -1;
  }
}

function goal(cell: number, then: Stride, rest = 0): Goal {
  return { cell, then, rest };
}
