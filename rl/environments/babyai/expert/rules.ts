import type { WorldObject } from '../objects';
import type { Part, Progress } from '../verifier';
import type { World } from '../world';

/** What the actions of an environment can do to a BabyAI world, and what ends its episodes. */
export interface ActionRules {
  /** An open door can be toggled shut. */
  readonly shutsDoors: boolean;
  /** A box can be toggled: it gives way to what it holds. */
  readonly opensBoxes: boolean;
  /** A failed mission ends the episode. */
  readonly failureEnds: boolean;
}

/** Every primitive works as Minigrid's: doors shut again, boxes open, and a failure is the end. */
export const PRIMITIVE_RULES: ActionRules = { shutsDoors: true, opensBoxes: true, failureEnds: true };

export function isLocked(object: WorldObject | null): object is WorldObject {
  return object?.type === 'door' && object.state === 'locked';
}

export function isKeyOf(object: WorldObject | null, door: WorldObject): boolean {
  return object?.type === 'key' && object.color === door.color;
}

/** What a world's mission forbids now, where a failure ends the episode. */
export interface Bans {
  pickUp(object: WorldObject): boolean;
  toggle(door: WorldObject): boolean;
}

/** Strict parts fail by a touch of what they do not name. */
export function bansOf({ progress }: World, { failureEnds }: ActionRules): Bans {
  const strict = failureEnds ? failingParts(progress).filter(isStrict) : [];
  const fails = (kind: Part['kind'], object: WorldObject): boolean =>
    strict.some((part) => part.kind === kind && !part.target.objects.includes(object));
  return { pickUp: (object) => fails('pickup', object), toggle: (door) => fails('open', door) };
}

/** The parts whose failure is the mission's: none of those that may be done in any order. */
export function failingParts(progress: Progress): Part[] {
  if (progress.kind === 'part') return [progress.part];
  if (progress.kind === 'both') return [];
  return failingParts(progress.earlierDone ? progress.later : progress.earlier);
}

export function isStrict(part: Part): boolean {
  return (part.kind === 'open' || part.kind === 'pickup') && part.strict;
}
