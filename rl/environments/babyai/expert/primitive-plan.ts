import type { Primitive } from '../objects';
import { type WorldObject } from '../objects';
import { allParts, pendingParts, type Progress } from '../verifier';
import type { World } from '../world';
import { restoreWorld, saveWorld, withWorldKept, type WorldState } from '../world-state';
import type { NoPlan } from '../../expert';
import type { Outlook, Stride } from './pursuit';
import { findReach } from './reach';
import type { ActionRules } from './rules';
import { Survey } from './survey';
import { whyUnwinnable } from './unwinnable';

/** Primitives that win from a world's state, the last of them with the success. */
export interface PrimitivePlan {
  readonly actions: readonly Primitive[];
  /** Found only with failures on the way allowed, where they do not end the episode. */
  readonly mayFail: boolean;
}

/** What a later part is taken to cost where plans are to be short. */
export const LATER_COST = 15;

/**
 * Searches in turn: states looked at before giving up, how much what is left to do counts against what is done, and what
 * a later part is taken to cost. The greedier find longer plans in fewer states: they finish one part after the other.
 */
const SEARCHES = [
  { states: 100, weight: 1, laterCost: LATER_COST },
  { states: 400, weight: 2, laterCost: 150 },
  { states: 1500, weight: 5, laterCost: 150 },
];
const NONE: ReadonlySet<WorldObject> = new Set();

/**
 * A plan to win from a world's state, found on the true grid and played there; the world is left as it was.
 *
 * Best first over strides: a walk with an act at its end (take, drop, toggle), as `Survey` lists them. Guaranteed: every
 * plan wins. Where the mission has one part that is to be gone to, picked up or opened, no object has to be moved, no key
 * fetched and the hand is free, the plan is the shortest of those that touch nothing else. With obstacles or several parts
 * it is merely short. `proven` is true where nothing can win.
 */
export function planPrimitives(world: World, rules: ActionRules): PrimitivePlan | NoPlan {
  const plan = withWorldKept(world, () => searchPlans(world, { ...rules, failureEnds: true }));
  if (plan.actions || rules.failureEnds) return plan;
  // A failure on the way is taken only where there is no other.
  return withWorldKept(world, () => searchPlans(world, rules));
}

function searchPlans(world: World, rules: ActionRules): PrimitivePlan | NoPlan {
  const reason = whyUnwinnable(world, rules);
  if (reason) return { actions: null, proven: true, reason };
  const { unlockable } = findReach(world, rules, NONE);
  const start = saveWorld(world);
  let looked = 0;
  for (const keptShut of reservations(world.progress, rules)) {
    for (const { states, weight, laterCost } of SEARCHES) {
      restoreWorld(world, start);
      const search = new PlanSearch(world, { rules, unlockable, keptShut, laterCost }, weight);
      const actions = search.run(states);
      if (actions) return { actions, mayFail: !rules.failureEnds };
      looked += search.looked;
      if (search.isExhausted) break;
    }
  }
  return { actions: null, proven: false, reason: `no plan was found in ${looked} states` };
}

/**
 * Sets of doors to leave shut until they count, where no action shuts them again: none at first, then one of each later
 * part that opens a door.
 */
function reservations(progress: Progress, { shutsDoors }: ActionRules): ReadonlySet<WorldObject>[] {
  if (shutsDoors) return [NONE];
  let choices: WorldObject[][] = [[]];
  for (const part of pendingParts(progress).later) {
    if (part.kind !== 'open') continue;
    const shut = part.target.objects.filter(({ state }) => state !== 'open');
    choices = choices.flatMap((chosen) => shut.map((door) => [...chosen, door]));
  }
  return [NONE, ...choices.filter(({ length }) => length > 0).map((doors) => new Set(doors))];
}

interface Node {
  readonly state: WorldState;
  readonly strides: readonly Stride[];
  /** Primitives to here. */
  readonly spent: number;
  /** Primitives to the end through here, about. */
  readonly total: number;
  /** Null at the first state. */
  readonly from: { readonly node: Node; readonly stride: Stride } | null;
}

class PlanSearch {
  /** States to look at, by total. */
  private readonly open: Node[][] = [];
  /** No state has a smaller total. */
  private least = 0;
  private readonly cheapest = new Map<string, number>();
  private readonly keys: StateKeys;
  private winner: Node | null = null;
  /** States looked at. */
  looked = 0;

  constructor(
    private readonly world: World,
    private readonly outlook: Outlook,
    private readonly weight: number,
  ) {
    this.keys = new StateKeys(world);
  }

  /** All states that strides lead to were looked at. */
  get isExhausted(): boolean {
    return this.open.every((nodes) => nodes.length === 0);
  }

  /** The plan found within so many states, or null. */
  run(states: number): Primitive[] | null {
    this.add(null, 0);
    while (this.looked < states) {
      const node = this.takeCheapest();
      if (!node || (this.winner && this.winner.spent <= node.total)) break;
      this.looked++;
      for (const stride of node.strides) this.follow(node, stride);
    }
    return this.winner && readPlan(this.winner);
  }

  private takeCheapest(): Node | null {
    while (this.least < this.open.length) {
      const node = this.open[this.least]?.pop();
      if (node) return node;
      this.least++;
    }
    return null;
  }

  private follow(node: Node, stride: Stride): void {
    restoreWorld(this.world, node.state);
    for (const [index, primitive] of stride.entries()) {
      const outcome = this.world.step(primitive);
      if (outcome === 'failure' && this.outlook.rules.failureEnds) return;
      if (outcome === 'success') {
        this.win(node, stride.slice(0, index + 1));
        return;
      }
    }
    if (this.canStillOpen()) this.add({ node, stride }, node.spent + stride.length);
  }

  private win(node: Node, stride: Stride): void {
    const spent = node.spent + stride.length;
    if (this.winner && this.winner.spent <= spent) return;
    this.winner = { state: node.state, strides: [], spent, total: spent, from: { node, stride } };
  }

  private add(from: Node['from'], spent: number): void {
    const key = this.keys.of(this.world);
    if ((this.cheapest.get(key) ?? Infinity) <= spent) return;
    this.cheapest.set(key, spent);
    const { strides, estimate } = new Survey(this.world, this.outlook);
    const total = spent + this.weight * estimate;
    while (this.open.length <= total) this.open.push([]);
    this.open[total]?.push({ state: saveWorld(this.world), strides, spent, total, from });
    this.least = Math.min(this.least, total);
  }

  /** Every door still to be opened is, or can be, shut. */
  private canStillOpen(): boolean {
    if (this.outlook.rules.shutsDoors) return true;
    return allParts(this.world.progress).every(
      (part) => part.kind !== 'open' || part.target.objects.some(({ state }) => state !== 'open'),
    );
  }
}

function readPlan(winner: Node): Primitive[] {
  const strides: Stride[] = [];
  for (let { from } = winner; from; from = from.node.from) strides.push(from.stride);
  return strides.reverse().flat();
}

/** Names states: equal for equal states of one world, by identity of the objects. */
export class StateKeys {
  private readonly objects: readonly WorldObject[];

  constructor({ grid, carrying }: World) {
    const objects = [...grid.cells, carrying].filter((object) => object !== null && object.type !== 'wall');
    const inside = objects.map((object) => object?.contents ?? null);
    this.objects = [...objects, ...inside].filter((object) => object !== null);
  }

  of(world: World): string {
    const { grid, carrying, progress } = world;
    const cells = new Map<WorldObject | null, number>();
    grid.cells.forEach((object, cell) => {
      if (object && object.type !== 'wall') cells.set(object, cell);
    });
    const codes = [grid.agentX, grid.agentY, grid.direction];
    for (const object of this.objects) {
      codes.push((cells.get(object) ?? grid.cells.length) + (object === carrying ? 1 : 0), object.code);
    }
    this.addProgress(progress, grid.width, codes);
    return String.fromCharCode(...codes);
  }

  private addProgress(progress: Progress, width: number, codes: number[]): void {
    if (progress.kind === 'part') {
      const { part, carriedBefore } = progress;
      codes.push(carriedBefore ? this.objects.indexOf(carriedBefore) + 1 : 0);
      if (part.kind === 'goto') for (const { x, y } of part.target.cells) codes.push(y * width + x);
      return;
    }
    codes.push(Number(progress.earlierDone), Number(progress.laterDone));
    this.addProgress(progress.earlier, width, codes);
    this.addProgress(progress.later, width, codes);
  }
}
