import { AppError } from '@/contract/errors';
import type { BabyAiEpisode } from './episode';
import { Primitive, type WorldObject } from './objects';
import { shortestPath, type Path } from './true-path';

/** What a planned action is for: the mission's object, a key, the locked door on the way, or freeing the hands. */
export type PlanPhase = 'target' | 'key' | 'unlock' | 'drop' | 'turn' | 'stuck';

export interface PlannedAction {
  action: string;
  phase: PlanPhase;
  /** The object sought in this phase is in view and the action is on it. */
  targetInView: boolean;
  /** The action leads through a door that is not itself sought. */
  throughDoor: boolean;
}

type Verb = 'go to' | 'pickup' | 'toggle and go through';

/**
 * The next offered action towards the goal, by the true grid, and what it is for: a demonstrator needs words for it. It
 * looks one action ahead; `babyAiExpert` plans in fewer turns. Knows missions of one part to go to, pick up or open.
 * Throws for others.
 */
export function planAction(episode: BabyAiEpisode): PlannedAction {
  const { instruction, carrying } = episode.world;
  switch (instruction.kind) {
    case 'goto':
      return seek(episode, onGrid(instruction.target.objects), 'go to', 'target') ?? stuck(episode);
    case 'open':
      return planOpen(episode, instruction.target.objects) ?? stuck(episode);
    case 'pickup': {
      const targets = onGrid(instruction.target.objects);
      return (carrying ? planFreeHands(episode, targets) : planPickUp(episode, targets)) ?? stuck(episode);
    }
    case 'putnext':
    case 'before':
    case 'after':
    case 'and':
      throw new AppError(
        'invalid_input',
        `The planner knows missions to go to, pick up or open, not "${episode.world.mission}"`,
      );
  }
}

function onGrid(objects: readonly WorldObject[]): WorldObject[] {
  return objects.filter(({ x }) => x >= 0);
}

function planOpen(episode: BabyAiEpisode, targets: readonly WorldObject[]): PlannedAction | null {
  const { carrying } = episode.world;
  const shut = targets.filter(({ state }) => state !== 'open');
  const canOpen = shut.some((door) => door.state === 'closed' || isKeyOf(carrying, door));
  if (shut.length > 0 && !canOpen) return planKey(episode);
  return seek(episode, shut, 'toggle and go through', 'target');
}

function planPickUp(episode: BabyAiEpisode, targets: readonly WorldObject[]): PlannedAction | null {
  const reachable = targets.some((target) => pathTo(episode, target) !== null);
  return reachable ? seek(episode, targets, 'pickup', 'target') : planKey(episode);
}

/** Carries a key as far as the target comes into view, since locked doors may lie on the way. */
function planFreeHands(episode: BabyAiEpisode, targets: readonly WorldObject[]): PlannedAction | null {
  const { carrying } = episode.world;
  const isInView = targets.some((target) => isSighted(episode, target) && pathTo(episode, target) !== null);
  if (isInView || carrying?.type !== 'key') return dropOrTurn(episode);
  return approach(episode, targets, 'target');
}

/** The way through the first locked door whose key is at hand or can be fetched. */
function planKey(episode: BabyAiEpisode): PlannedAction | null {
  const { grid, carrying } = episode.world;
  for (const door of grid.cells) {
    if (door?.type !== 'door' || door.state !== 'locked') continue;
    if (isKeyOf(carrying, door)) return seek(episode, [door], 'toggle and go through', 'unlock');
    if (carrying) return dropOrTurn(episode);
    const keys = grid.cells.flatMap((object) => (object && isKeyOf(object, door) ? [object] : []));
    const fetching = seek(episode, keys, 'pickup', 'key');
    if (fetching) return fetching;
  }
  return null;
}

function isKeyOf(object: WorldObject | null, door: WorldObject): boolean {
  return object?.type === 'key' && object.color === door.color;
}

function dropOrTurn(episode: BabyAiEpisode): PlannedAction {
  const isOffered = episode.currentOffers.some(({ action }) => action === 'drop');
  const [action, phase] = isOffered ? (['drop', 'drop'] as const) : (['turn left', 'turn'] as const);
  return { action, phase, targetInView: false, throughDoor: false };
}

function stuck(episode: BabyAiEpisode): PlannedAction {
  const canMove = episode.currentOffers.some(({ action }) => action === 'move forward');
  const action = canMove ? 'move forward' : 'turn right';
  return { action, phase: 'stuck', targetInView: false, throughDoor: false };
}

/** The verb on one of the objects where that is offered, else the next action towards the nearest. */
function seek(
  episode: BabyAiEpisode,
  objects: readonly WorldObject[],
  verb: Verb,
  phase: PlanPhase,
): PlannedAction | null {
  for (const object of objects) {
    const action = offeredOn(episode, object, verb);
    if (action) return { action, phase, targetInView: true, throughDoor: false };
  }
  return approach(episode, objects, phase);
}

function approach(
  episode: BabyAiEpisode,
  objects: readonly WorldObject[],
  phase: PlanPhase,
): PlannedAction | null {
  let nearest: Path | null = null;
  for (const object of objects) {
    const path = pathTo(episode, object);
    if (path && (!nearest || path.actions.length < nearest.actions.length)) nearest = path;
  }
  const [first] = nearest?.actions ?? [];
  if (!nearest || first === undefined) return null;
  const door = nearest.firstDoor;
  const throughDoor =
    door && (offeredOn(episode, door, 'go through') ?? offeredOn(episode, door, 'toggle and go through'));
  if (throughDoor) return { action: throughDoor, phase, targetInView: false, throughDoor: true };
  const action =
    first === Primitive.left ? 'turn left' : first === Primitive.right ? 'turn right' : 'move forward';
  const isOffered = episode.currentOffers.some((offer) => offer.action === action);
  return isOffered ? { action, phase, targetInView: false, throughDoor: false } : null;
}

function pathTo({ world }: BabyAiEpisode, object: WorldObject): Path | null {
  return shortestPath(world.grid, object.x, object.y, world.carrying);
}

function isSighted(episode: BabyAiEpisode, object: WorldObject): boolean {
  return episode.currentSightings.objects.some((sighting) => sighting.object === object);
}

/** The offered action of a verb on an object, unless it would change nothing. */
function offeredOn(episode: BabyAiEpisode, object: WorldObject, verb: Verb | 'go through'): string | null {
  const offer = episode.currentOffers.find(
    (candidate) => candidate.object === object && candidate.action.startsWith(`${verb} `),
  );
  return offer && !episode.changesNothing(offer) ? offer.action : null;
}
