import { OBJECT_NAMES, objectName, type WorldObject } from './objects';
import { NEAREST_FIRST, RIGHT, FORWARD, type View } from './view';

/** An object in view that is not a wall. */
export interface Sighting {
  readonly object: WorldObject;
  /** `red ball`, `grey locked door`. */
  readonly name: string;
  /** 1, 2, ... among the objects of that name, nearest first. */
  readonly number: number;
  /** View cell. */
  readonly cell: number;
}

/** What AgentGym's text makes of a view. */
export interface Sightings {
  /** Nearest first. */
  readonly objects: readonly Sighting[];
  /** Anything in view, walls included. */
  readonly any: boolean;
  /** The nearest wall or box straight ahead. */
  readonly barrier: { readonly type: string; readonly steps: number } | null;
}

export function sight(view: View): Sightings {
  const objects: Sighting[] = [];
  let any = false;
  let barrier: Sightings['barrier'] = null;
  for (const cell of NEAREST_FIRST) {
    const object = view.objects[cell];
    if (!object) continue;
    any = true;
    if (!barrier && RIGHT[cell] === 0 && (object.type === 'wall' || object.type === 'box')) {
      barrier = { type: object.type, steps: FORWARD[cell] ?? 0 };
    }
    if (object.type === 'wall') continue;
    objects.push({ object, name: objectName(object), number: countLike(objects, object) + 1, cell });
  }
  return { objects, any, barrier };
}

function countLike(sightings: readonly Sighting[], { code }: WorldObject): number {
  let count = 0;
  for (const { object } of sightings) if (object.code === code) count++;
  return count;
}

/** What AgentGym says before an object's number, by object code. */
const LEADS = OBJECT_NAMES.map((name) => `There is a ${name} `);

/** Where a view cell lies, as AgentGym says it after an object's number. */
const PLACES = Array.from(FORWARD, (forward, cell) => {
  const right = RIGHT[cell] ?? 0;
  if (right === 0) return ` right in front of you ${forward} steps away.  `;
  const side = right > 0 ? 'right' : 'left';
  return ` ${forward} steps in front of you and ${Math.abs(right)} steps to your ${side}.  `;
});

/** AgentGym's observation, letter by letter (double spaces and plurals included). */
export function observationText(sightings: Sightings, carrying: WorldObject | null): string {
  let text = 'You cannot see any objects within sight.';
  if (sightings.any) {
    text = 'In front of you in this room, you can see several objects: ';
    for (const { object, number, cell } of sightings.objects) {
      text += `${LEADS[object.code] ?? ''}${number}${PLACES[cell] ?? ''}`;
    }
  }
  text += 'The room has walls around you. ';
  const { barrier } = sightings;
  if (barrier) text += `You are facing a ${barrier.type} ${barrier.steps} steps away. `;
  return text + (carrying ? `You are carrying a ${objectName(carrying)}.` : 'You are not carrying anything.');
}
