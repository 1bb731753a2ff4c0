import type { Description } from '../mission';
import { objectName, type WorldObject } from '../objects';
import { allParts, type Part, type Progress } from '../verifier';
import type { World } from '../world';
import { findReach, type Reach } from './reach';
import { failingParts, isKeyOf, isLocked, isStrict, type ActionRules } from './rules';

const NONE: ReadonlySet<WorldObject> = new Set();

/**
 * Why a world's mission cannot be won from its state by any actions, or null where nothing rules it out. A reason is a
 * proof: it holds even if everything movable were out of the way.
 */
export function whyUnwinnable(world: World, rules: ActionRules): string | null {
  const reach = findReach(world, rules, NONE);
  for (const part of allParts(world.progress)) {
    const reason = whyUndoable(part, world, rules, reach);
    if (reason) return reason;
  }
  return (
    (rules.failureEnds ? whySelfDefeating(world.progress) : null) ??
    (rules.shutsDoors ? null : whyOpenedTooEarly(world.progress, world, rules))
  );
}

function whyUndoable(part: Part, world: World, rules: ActionRules, reach: Reach): string | null {
  switch (part.kind) {
    case 'goto': {
      const isFaced = part.target.cells.some(({ x, y }) => reach.faced[y * world.grid.width + x] === 1);
      return isFaced ? null : whyOutOfReach(part.target, world, rules, reach);
    }
    case 'open':
      return whyShut(part.target, world, rules, reach);
    case 'pickup':
      return whyOutOfReach(part.target, world, rules, reach);
    case 'putnext':
      return (
        whyOutOfReach(part.target, world, rules, reach) ?? whyOutOfReach(part.beside, world, rules, reach)
      );
  }
}

function whyOutOfReach(target: Description, world: World, rules: ActionRules, reach: Reach): string | null {
  if (target.objects.some((object) => reach.has(object))) return null;
  return `${targetName(target)} cannot be reached${becauseOfKeys(world, rules, reach)}`;
}

function whyShut(target: Description, world: World, rules: ActionRules, reach: Reach): string | null {
  const doors = target.objects.filter((door) => reach.has(door));
  if (doors.length === 0) return whyOutOfReach(target, world, rules, reach);
  if (doors.some(({ state }) => state === 'closed')) return null;
  if (doors.some((door) => door.state === 'locked' && reach.unlockable.has(door))) return null;
  if (!doors.some(({ state }) => state === 'open'))
    return `${targetName(target)} cannot be opened${becauseOfKeys(world, rules, reach)}`;
  return rules.shutsDoors
    ? null
    : `${targetName(target)} stands open, no action shuts it, and it has to be opened anew`;
}

/** Names the locked doors in reach that stay locked. */
function becauseOfKeys({ grid, carrying }: World, { opensBoxes }: ActionRules, reach: Reach): string {
  const doors = grid.cells.filter(isLocked).filter((door) => reach.has(door) && !reach.unlockable.has(door));
  if (doors.length === 0) return '';
  const isBoxed = (door: WorldObject): boolean =>
    [...grid.cells, carrying].some((object) => isKeyOf(object?.contents ?? null, door));
  const why =
    !opensBoxes && doors.some(isBoxed)
      ? 'a box holds it, and no action opens a box'
      : 'it cannot be reached either';
  return `: the key of the ${doors.map(objectName).join(', ')} is needed, and ${why}`;
}

/** `the red ball`, `the red door or another`, `the object`. */
function targetName({ color, type, objects }: Description): string {
  const name = `the ${color ? `${color} ` : ''}${type ?? 'object'}`;
  return objects.length > 1 ? `${name} (any of ${objects.length})` : name;
}

/**
 * Where the act that completes a part fails the next: the next is judged within the same action, and a strict one does not
 * bear another object of its kind to be touched.
 */
function whySelfDefeating(progress: Progress): string | null {
  if (progress.kind !== 'in order') return null;
  const { earlier, later, earlierDone } = progress;
  if (earlierDone) return whySelfDefeating(later);
  if (earlier.kind !== 'part') return whySelfDefeating(earlier);
  const { part } = earlier;
  const failing = failingParts(later).find(
    (next) =>
      isStrict(next) &&
      next.kind === part.kind &&
      !part.target.objects.some((object) => next.target.objects.includes(object)),
  );
  if (!failing) return null;
  const names = [targetName(part.target), targetName(failing.target)];
  return `what completes the part of ${names.join(' fails the strict part of ')}, judged in the same action`;
}

/** Where every door that a part has to open lies on the only ways to the parts before it. */
function whyOpenedTooEarly(progress: Progress, world: World, rules: ActionRules): string | null {
  if (progress.kind === 'part') return null;
  const { kind, earlier, later, earlierDone, laterDone } = progress;
  const reason = kind === 'in order' && !earlierDone ? whyNotInOrder(earlier, later, world, rules) : null;
  return (
    reason ??
    (earlierDone ? null : whyOpenedTooEarly(earlier, world, rules)) ??
    (laterDone ? null : whyOpenedTooEarly(later, world, rules))
  );
}

function whyNotInOrder(earlier: Progress, later: Progress, world: World, rules: ActionRules): string | null {
  const before = allParts(earlier);
  for (const part of allParts(later)) {
    // One toggle may do for both.
    if (part.kind !== 'open' || before.some((other) => sharesDoor(other, part))) continue;
    const canWait = part.target.objects.some(
      (door) => door.state !== 'open' && isDoable(before, world, rules, new Set([door])),
    );
    if (canWait) continue;
    const door = targetName(part.target);
    return `the way to what comes first leads through ${door}, to be opened later, and no action shuts a door`;
  }
  return null;
}

function sharesDoor(other: Part, part: Part): boolean {
  return other.kind === 'open' && other.target.objects.some((door) => part.target.objects.includes(door));
}

function isDoable(
  parts: readonly Part[],
  world: World,
  rules: ActionRules,
  shut: ReadonlySet<WorldObject>,
): boolean {
  const reach = findReach(world, rules, shut);
  return parts.every((part) => whyUndoable(part, world, rules, reach) === null);
}
