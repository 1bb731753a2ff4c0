import { AppError } from '@/contract/errors';
import { createRandom, hashSeed, type Random } from '@/rl/random';
import { TREATMENT_OF, objectsWanted, type HouseholdGoal } from './goal';
import { LAMP_KIND, OBJECT_KINDS, type ObjectKind } from './kinds';
import { planCommands } from './plan';
import { findRoom, type Receptacle, type Room } from './rooms';
import type { HouseholdTask } from './task';

/** An object and the receptacle it lies in at the start. */
export interface PlacedObject {
  /** `pear 1`; numbered from 1 within its kind. */
  name: string;
  kind: string;
  receptacle: Receptacle;
}

/** What lies where, and what is wanted. */
export interface Layout {
  room: Room;
  goal: HouseholdGoal;
  /** Which of the goal's wordings the task is told in. */
  wording: 0 | 1;
  /** Those the goal asks for first. */
  objects: readonly PlacedObject[];
  /** Commands of a player who knows where everything is; played from the start, the last of them wins. */
  walkthrough: readonly string[];
}

/** Commands of an acceptable walkthrough, fewest and most. */
export const WALKTHROUGH_LENGTHS = { fewest: 4, most: 9 } as const;

/** Objects besides those the goal asks for and the lamp, each of another kind. */
const DISTRACTORS = { fewest: 3, most: 5 } as const;
const MOST_IN_RECEPTACLE = 3;
/** A room in which so many draws fail cannot hold the task type at all. */
const MOST_DRAWS = 1000;

/**
 * The layout of a task, by its room, type and seed alone: drawn again, from the same stream, until the walkthrough is
 * neither too short nor too long.
 */
export function drawLayout({ id, room: roomName, taskType, seed }: HouseholdTask): Layout {
  const room = findRoom(roomName);
  const random = createRandom(hashSeed('household layout', roomName, taskType, seed));
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    const layout = drawOnce(room, taskType, random);
    const length = layout?.walkthrough.length ?? 0;
    if (layout && length >= WALKTHROUGH_LENGTHS.fewest && length <= WALKTHROUGH_LENGTHS.most) return layout;
  }
  throw new AppError('internal', `${MOST_DRAWS} draws gave no layout of ${id}`);
}

/** Null where the drawn kinds do not fit the room. */
function drawOnce(room: Room, taskType: HouseholdGoal['taskType'], random: Random): Layout | null {
  const treatment = TREATMENT_OF[taskType];
  const kinds = OBJECT_KINDS.filter(({ treatments }) => treatment === null || treatments.includes(treatment));
  const kind = random.pick(kinds);
  const receptacle = taskType === 'examine_in_light' ? null : drawTarget(room, kind, treatment, random);
  if (receptacle === undefined) return null;
  const goal: HouseholdGoal = { taskType, object: kind.name, receptacle };
  const shelves = new Shelves(room, random);
  for (let count = objectsWanted(goal); count > 0; count--) {
    if (!shelves.put(kind, ({ kind: { name } }) => name !== receptacle)) return null;
  }
  shelves.putLamp();
  const others = random.shuffle(OBJECT_KINDS.filter(({ name }) => name !== kind.name));
  const distractors = DISTRACTORS.fewest + random.integer(DISTRACTORS.most - DISTRACTORS.fewest + 1);
  for (const other of others.slice(0, distractors)) shelves.put(other);
  const wording = random.integer(2) === 0 ? 0 : 1;
  const { objects } = shelves;
  return { room, goal, wording, objects, walkthrough: planCommands(room, goal, objects) };
}

/** A kind of receptacle that takes the object and does not itself treat it; undefined where there is none. */
function drawTarget(
  room: Room,
  { ware }: ObjectKind,
  treatment: string | null,
  random: Random,
): string | undefined {
  const names = room.receptacles
    .filter(
      ({ kind: { takes, treats } }) => takes.includes(ware) && (treats === null || treats !== treatment),
    )
    .map(({ kind: { name } }) => name);
  return names.length === 0 ? undefined : random.pick([...new Set(names)]);
}

/** Puts objects in the receptacles of a room that take them. */
class Shelves {
  readonly objects: PlacedObject[] = [];

  constructor(
    private readonly room: Room,
    private readonly random: Random,
  ) {}

  /** Whether there was a receptacle for it. */
  put({ name, ware }: ObjectKind, suits: (receptacle: Receptacle) => boolean = () => true): boolean {
    return this.place(name, (receptacle) => receptacle.kind.takes.includes(ware) && suits(receptacle));
  }

  putLamp(): void {
    this.place(LAMP_KIND, ({ kind: { openable, treats } }) => !openable && treats === null);
  }

  private place(kind: string, suits: (receptacle: Receptacle) => boolean): boolean {
    const free = this.room.receptacles.filter(
      (receptacle) => this.countIn(receptacle) < MOST_IN_RECEPTACLE && suits(receptacle),
    );
    if (free.length === 0) return false;
    const number = this.objects.filter((object) => object.kind === kind).length + 1;
    this.objects.push({ name: `${kind} ${number}`, kind, receptacle: this.random.pick(free) });
    return true;
  }

  private countIn(receptacle: Receptacle): number {
    return this.objects.filter((object) => object.receptacle === receptacle).length;
  }
}
