import { DIRECTION_X, DIRECTION_Y, type Color, type WorldObject } from '../objects';
import type { World } from '../world';
import { bansOf, isLocked, type ActionRules } from './rules';

/** What could ever be faced from a state, if whatever can be carried away were gone. */
export interface Reach {
  /** 1 where a cell can be stood on or faced, length width * height. */
  readonly faced: Uint8Array;
  /** The locked doors whose key is in the hand or could be fetched. */
  readonly unlockable: ReadonlySet<WorldObject>;
  /** What can be faced, and what is in the hand. */
  has(object: WorldObject): boolean;
}

/**
 * The cells that could be faced from a world's state on, were everything movable out of the way and every key that can be
 * faced in the hand: an upper bound, so that what it leaves out is out of reach whatever is done. `shut` are doors taken
 * as walls.
 */
export function findReach(world: World, rules: ActionRules, shut: ReadonlySet<WorldObject>): Reach {
  const { grid, carrying } = world;
  const { cells, width } = grid;
  const bans = bansOf(world, rules);
  const steps = DIRECTION_X.map((x, direction) => x + width * (DIRECTION_Y[direction] ?? 0));
  const faced = new Uint8Array(cells.length);
  const stood = new Uint8Array(cells.length);
  const keyColors = new Set<Color>();
  const addKey = (object: WorldObject | null): void => {
    if (object?.type === 'key' && !bans.pickUp(object)) keyColors.add(object.color);
  };
  if (carrying?.type === 'key') keyColors.add(carrying.color);
  if (rules.opensBoxes) addKey(carrying?.contents ?? null);

  const isPassable = (object: WorldObject | null): boolean => {
    if (!object) return true;
    if (object.isCarriable) return !bans.pickUp(object);
    if (object.type !== 'door') return false;
    if (object.state === 'open') return true;
    if (shut.has(object) || bans.toggle(object)) return false;
    return object.state === 'closed' || keyColors.has(object.color);
  };
  const flood = (): void => {
    stood.fill(0);
    const open = [grid.agentY * width + grid.agentX];
    for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
      if (stood[cell] === 1) continue;
      stood[cell] = faced[cell] = 1;
      for (const step of steps) {
        faced[cell + step] = 1;
        const object = cells[cell + step];
        if (object !== undefined && isPassable(object)) open.push(cell + step);
      }
    }
  };
  const takeKeys = (): boolean => {
    const before = keyColors.size;
    cells.forEach((object, cell) => {
      if (!object || faced[cell] === 0) return;
      addKey(object);
      if (rules.opensBoxes) addKey(object.contents);
    });
    return keyColors.size > before;
  };
  do flood();
  while (takeKeys());

  const reached = new Set(cells.filter((object, cell) => object !== null && faced[cell] === 1));
  if (carrying) reached.add(carrying);
  return {
    faced,
    unlockable: new Set(cells.filter(isLocked).filter(({ color }) => keyColors.has(color))),
    has: (object) => reached.has(object),
  };
}
