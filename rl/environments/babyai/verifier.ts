import type { Description, Instruction } from './mission';
import { manhattan, Primitive, type WorldObject } from './objects';
import type { World } from './world';

export type Outcome = 'success' | 'failure' | 'continue';

/** A mission of one part. */
export type Part = Extract<Instruction, { kind: 'goto' | 'open' | 'pickup' | 'putnext' }>;

/** How far a mission has come: all that judging it remembers. `copyProgress` makes a save point of it. */
export type Progress = PartProgress | SequenceProgress;

interface PartProgress {
  readonly kind: 'part';
  readonly part: Part;
  /** What was in the hand when the part was last judged. */
  carriedBefore: WorldObject | null;
}

interface SequenceProgress {
  /** `both`: in any order, and `earlier` is merely the one named first. */
  readonly kind: 'in order' | 'both';
  readonly earlier: Progress;
  readonly later: Progress;
  earlierDone: boolean;
  /** Remembered for `both` alone. */
  laterDone: boolean;
}

/** The progress of a mission that has not begun. */
export function startProgress(instruction: Instruction): Progress {
  switch (instruction.kind) {
    case 'goto':
    case 'open':
    case 'pickup':
    case 'putnext':
      return { kind: 'part', part: instruction, carriedBefore: null };
    case 'before':
      return startSequence('in order', instruction.first, instruction.second);
    case 'after':
      return startSequence('in order', instruction.second, instruction.first);
    case 'and':
      return startSequence('both', instruction.first, instruction.second);
  }
}

function startSequence(
  kind: SequenceProgress['kind'],
  earlier: Instruction,
  later: Instruction,
): SequenceProgress {
  return {
    kind,
    earlier: startProgress(earlier),
    later: startProgress(later),
    earlierDone: false,
    laterDone: false,
  };
}

/** The same progress, apart from the original. */
export function copyProgress(progress: Progress): Progress {
  if (progress.kind === 'part') return { ...progress };
  return { ...progress, earlier: copyProgress(progress.earlier), later: copyProgress(progress.later) };
}

/**
 * Judges the world after a primitive action and remembers what the next judgement needs, so it is asked once an action
 * (Minigrid, envs/babyai/core/verifier.py).
 */
export function judge(progress: Progress, world: World, action: Primitive): Outcome {
  switch (progress.kind) {
    case 'part':
      return judgePart(progress, world, action);
    case 'in order':
      return judgeInOrder(progress, world, action);
    case 'both':
      return judgeBoth(progress, world, action);
  }
}

function judgePart(progress: PartProgress, world: World, action: Primitive): Outcome {
  const { part, carriedBefore } = progress;
  progress.carriedBefore = world.carrying;
  switch (part.kind) {
    case 'goto':
      return judgeGoTo(part.target, world);
    case 'open':
      return judgeOpen(part.target, part.strict, world, action);
    case 'pickup':
      return judgePickUp(part.target, part.strict, carriedBefore, world, action);
    case 'putnext':
      return judgePutNext(part.target, part.beside, carriedBefore, action);
  }
}

/** Facing a cell of the target, whatever the action; cells are stale until the next drop, as upstream's are. */
function judgeGoTo(target: Description, { grid }: World): Outcome {
  const { frontX, frontY } = grid;
  return target.cells.some((cell) => cell.x === frontX && cell.y === frontY) ? 'success' : 'continue';
}

function judgeOpen(target: Description, strict: boolean, { grid }: World, action: Primitive): Outcome {
  if (action !== Primitive.toggle) return 'continue';
  const object = grid.at(grid.frontX, grid.frontY);
  if (object?.type !== 'door') return 'continue';
  if (object.state === 'open' && target.objects.includes(object)) return 'success';
  return strict ? 'failure' : 'continue';
}

function judgePickUp(
  target: Description,
  strict: boolean,
  carriedBefore: WorldObject | null,
  { carrying }: World,
  action: Primitive,
): Outcome {
  if (action !== Primitive.pickup || !carrying) return 'continue';
  if (!carriedBefore && target.objects.includes(carrying)) return 'success';
  return strict ? 'failure' : 'continue';
}

function judgePutNext(
  target: Description,
  beside: Description,
  dropped: WorldObject | null,
  action: Primitive,
): Outcome {
  if (action !== Primitive.drop || !dropped || !target.objects.includes(dropped)) return 'continue';
  const isNext = beside.cells.some((cell) => manhattan(dropped.x, dropped.y, cell.x, cell.y) === 1);
  return isNext ? 'success' : 'continue';
}

/** The later part is first asked within the action that completes the earlier one. */
function judgeInOrder(progress: SequenceProgress, world: World, action: Primitive): Outcome {
  if (!progress.earlierDone) {
    const outcome = judge(progress.earlier, world, action);
    if (outcome !== 'success') return outcome;
    progress.earlierDone = true;
  }
  return judge(progress.later, world, action);
}

/** Each part is asked until it succeeds; a failure of one is not a failure of both, as upstream has it. */
function judgeBoth(progress: SequenceProgress, world: World, action: Primitive): Outcome {
  if (!progress.earlierDone) progress.earlierDone = judge(progress.earlier, world, action) === 'success';
  if (!progress.laterDone) progress.laterDone = judge(progress.later, world, action) === 'success';
  return progress.earlierDone && progress.laterDone ? 'success' : 'continue';
}

/** The parts still to be done: those that count now, and those that wait for others. */
export interface PendingParts {
  readonly active: readonly Part[];
  readonly later: readonly Part[];
}

export function pendingParts(progress: Progress): PendingParts {
  if (progress.kind === 'part') return { active: [progress.part], later: [] };
  const { kind, earlier, later, earlierDone, laterDone } = progress;
  if (kind === 'in order') {
    if (earlierDone) return pendingParts(later);
    const first = pendingParts(earlier);
    return { active: first.active, later: [...first.later, ...allParts(later)] };
  }
  const sides = [
    ...(earlierDone ? [] : [pendingParts(earlier)]),
    ...(laterDone ? [] : [pendingParts(later)]),
  ];
  return { active: sides.flatMap((side) => side.active), later: sides.flatMap((side) => side.later) };
}

/** The parts still to be done, those that count now first. */
export function allParts(progress: Progress): Part[] {
  const { active, later } = pendingParts(progress);
  return [...active, ...later];
}
