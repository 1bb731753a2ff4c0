import { Primitive, type WorldObject } from '../objects';
import { pendingParts } from '../verifier';
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

/** Primitives to play in a row: a walk, and an act at its end. */
export type Stride = readonly Primitive[];

/** A cell to face, and what to do there. */
export interface Goal {
  readonly cell: number;
  readonly then: Stride;
  /** About what is left to do afterwards. */
  readonly rest: number;
}

/** About what it takes to move an object out of the way, and to fetch a key. */
const BLOCKED_COST = 8;
export const LOCKED_COST = 24;
/** About what it takes to put by what is in the hand and to come back for it. */
const PUT_BY_COST = 10;
/** About what a goal costs that no way leads to now. */
export const STUCK_COST = 100;

/** Goals of a kind that are pursued at once. */
const GOALS = 4;

/** Gathers the strides towards goals from a state: ways that are clear, and where one is barred, what clears it. */
export class Pursuit {
  readonly strides: Stride[] = [];
  /** Cells of all that stands on the grid, walls left out. */
  readonly where = new Map<WorldObject, number>();
  private readonly bans: Bans;
  private readonly kept: ReadonlySet<WorldObject>;
  /** Through obstacles, at a cost. */
  private readonly routes: Routes;
  /** Past obstacles; made once one bars a way or something is to be put down. */
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
    const doorsForLater = pendingParts(world.progress).later.flatMap((part) =>
      part.kind === 'open' ? part.target.objects : [],
    );
    this.kept = new Set(doorsForLater.filter((door) => outlook.keptShut.has(door)));
    this.routes = new Routes(world.grid, (object) => this.entryCost(object));
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

  /** Primitives to a goal and on from it, about; Infinity where no way leads to it. */
  cost({ cell, then, rest }: Goal): number {
    return this.routes.costToFace(cell) + then.length + rest;
  }

  /** The goals that a way leads to, nearest first, no more than are pursued at once. */
  nearest(goals: readonly Goal[]): Goal[] {
    return goals
      .filter((goal) => this.cost(goal) < Infinity)
      .sort((left, right) => this.cost(left) - this.cost(right))
      .slice(0, GOALS);
  }

  /** Adds the ways to the nearest goals; gives about how far the nearest is. */
  pursueNearest(goals: readonly Goal[]): number {
    const nearest = this.nearest(goals);
    for (const { cell, then } of nearest) this.pursue(cell, then);
    if (this.clearRoutes && goals.length > nearest.length) this.pursueUnobstructed(goals, this.clearRoutes);
    return nearest[0] ? this.cost(nearest[0]) : STUCK_COST;
  }

  /** Adds the way to the goal that is nearest where nothing is moved: none of the nearest need be it. */
  private pursueUnobstructed(goals: readonly Goal[], routes: Routes): void {
    const costs = goals.map(({ cell, rest }) => routes.costToFace(cell) + rest);
    const nearest = goals[costs.indexOf(Math.min(...costs))];
    if (nearest) this.pursue(nearest.cell, nearest.then);
  }

  private pursue(cell: number, then: Stride): void {
    const id = `${cell} ${then.join()}`;
    const route = this.routes.toFace(cell);
    if (this.pursued.has(id) || !route) return;
    this.pursued.add(id);
    const { primitives, obstacles } = route;
    if (this.world.carrying && then[0] === Primitive.pickup) this.release(cell);
    else if (obstacles.length === 0) this.add(primitives, then);
    else this.walkClear(cell, then);
    for (const obstacle of obstacles) this.clear(obstacle);
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

  /** Adds the way to a cell that nothing has to be moved for, if there is one. */
  private walkClear(cell: number, then: Stride): void {
    const route = this.withoutObstacles().toFace(cell);
    if (route) this.add(route.primitives, then);
  }

  private withoutObstacles(): Routes {
    this.clearRoutes ??= new Routes(this.world.grid, (object) => {
      const cost = this.entryCost(object);
      return cost > TOGGLE_COST ? Infinity : cost;
    });
    return this.clearRoutes;
  }

  /** Adds what clears the way to a cell. */
  clearWay(cell: number): void {
    for (const obstacle of this.routes.toFace(cell)?.obstacles ?? []) this.clear(obstacle);
  }

  /** Adds what gets an obstacle out of the way: an object that can be carried, or a locked door. */
  clear(obstacle: WorldObject): void {
    const cell = this.where.get(obstacle);
    if (!obstacle.isCarriable) this.fetchKey(obstacle);
    else if (cell !== undefined) this.pursue(cell, [Primitive.pickup]);
  }

  private fetchKey(door: WorldObject): void {
    const { opensBoxes } = this.outlook.rules;
    const goals: Goal[] = [];
    for (const [object, cell] of this.where) {
      if (isKeyOf(object, door)) goals.push({ cell, then: [Primitive.pickup], rest: 0 });
      else if (opensBoxes && isKeyOf(object.contents, door))
        goals.push({ cell, then: [Primitive.toggle], rest: 0 });
    }
    if (isKeyOf(this.world.carrying?.contents ?? null, door)) this.releaseHere();
    this.pursueNearest(goals);
  }

  /** Adds ways to put down what is in the hand near by. */
  releaseHere(): void {
    const { agentX, agentY, width } = this.world.grid;
    this.release(agentY * width + agentX);
  }

  /** Adds ways to put down what is in the hand before going to a cell. */
  private release(toward: number): void {
    if (this.released.has(toward)) return;
    if (this.released.size === 0) this.unlockDoors();
    this.released.add(toward);
    for (const cell of releaseSpots(this.world.grid, this.withoutObstacles(), toward)) {
      this.walkClear(cell, [Primitive.drop]);
    }
  }

  /** Adds the use of a key before it is let go: behind its door there may be no room for it. */
  private unlockDoors(): void {
    for (const [door, cell] of this.where) {
      const isUsable = isLocked(door) && isKeyOf(this.world.carrying, door);
      if (isUsable && this.entryCost(door) < Infinity) this.walkClear(cell, [Primitive.toggle]);
    }
  }
}
