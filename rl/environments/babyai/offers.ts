import { CODE_COUNT, OBJECT_NAMES, Primitive, type WorldObject } from './objects';
import type { PathSearch } from './path-search';
import type { Sighting, Sightings } from './sightings';
import { FRONT_CELL, VIEW_CELLS, type View } from './view';

/** An action AgentGym offers: the way to an end pose, then fixed primitives. */
export interface Offer {
  readonly action: string;
  /** End pose of the way (PathSearch); null where the action walks nowhere. */
  readonly end: number | null;
  readonly then: readonly Primitive[];
  /** The object in view the action is about. */
  readonly object: WorldObject | null;
}

/** Why an action that is not offered is refused, by action. */
export type Refusals = Map<string, string>;

interface Scene {
  view: View;
  sightings: Sightings;
  carrying: WorldObject | null;
  search: PathSearch;
}

const NONE: readonly Primitive[] = [];
const TURN_LEFT: Offer = { action: 'turn left', end: null, then: [Primitive.left], object: null };
const TURN_RIGHT: Offer = { action: 'turn right', end: null, then: [Primitive.right], object: null };
const MOVE_FORWARD: Offer = { action: 'move forward', end: null, then: [Primitive.forward], object: null };
const DROP: Offer = { action: 'drop', end: null, then: [Primitive.drop], object: null };
const TOGGLE: Offer = { action: 'toggle', end: null, then: [Primitive.toggle], object: null };
const CHECK: Offer = { action: 'check available actions', end: null, then: NONE, object: null };
const PICK_UP = [Primitive.pickup] as const;
const TOGGLE_AND_GO = [Primitive.toggle, Primitive.forward] as const;

/** The text of an action on an object of a code and a number. Each text is made once: few differ, and many are asked. */
type ActionText = (code: number, number: number) => string;

function actionText(verb: string): ActionText {
  const texts = new Array<string | undefined>(CODE_COUNT * VIEW_CELLS);
  return (code, number) =>
    (texts[code * VIEW_CELLS + number] ??= `${verb} ${OBJECT_NAMES[code] ?? ''} ${number}`);
}

const pickUpText = actionText('pickup');
const goToText = actionText('go to');
const goThroughText = actionText('go through');
const toggleAndGoText = actionText('toggle and go through');

/** The actions offered in a scene, in AgentGym's order. `refusals`, where given, is filled with the reasons. */
export function listOffers(scene: Scene, refusals: Refusals | null): Offer[] {
  const offers: Offer[] = [TURN_LEFT, TURN_RIGHT];
  const { barrier } = scene.sightings;
  if (!barrier || barrier.steps > 1) offers.push(MOVE_FORWARD);
  else refusals?.set(MOVE_FORWARD.action, "There is a barrier in front of you, you can't move forward.");
  if (scene.carrying === null) addPickups(scene, offers, refusals);
  addDrop(scene, offers, refusals);
  addDoors(scene, offers, refusals);
  addWalks(scene, scene.sightings.objects, goToText, NONE, offers, refusals);
  offers.push(CHECK);
  return offers;
}

function addPickups(scene: Scene, offers: Offer[], refusals: Refusals | null): void {
  const carriable = scene.sightings.objects.filter(({ object }) => object.isCarriable);
  addWalks(scene, carriable, pickUpText, PICK_UP, offers, refusals);
}

/** One action for each object that can be faced; those that cannot do not count in the numbering. */
function addWalks(
  scene: Scene,
  sightings: readonly Sighting[],
  textOf: ActionText,
  then: readonly Primitive[],
  offers: Offer[],
  refusals: Refusals | null,
): void {
  let skipped: Map<number, number> | null = null;
  for (const { object, number, cell } of sightings) {
    const { code } = object;
    const end = face(scene, cell);
    const action = textOf(code, number - (skipped?.get(code) ?? 0));
    if (end !== null) {
      offers.push({ action, end, then, object });
    } else {
      skipped ??= new Map();
      skipped.set(code, (skipped.get(code) ?? 0) + 1);
      refusals?.set(action, `You cannot ${action}, as there is no path leading to it.`);
    }
  }
}

function addDrop({ view, carrying }: Scene, offers: Offer[], refusals: Refusals | null): void {
  const ahead = view.objects[FRONT_CELL];
  if (carrying === null) {
    refusals?.set(DROP.action, 'You cannot drop the object, as you are not carrying anything.');
  } else if (ahead && ahead.type !== 'door') {
    refusals?.set(DROP.action, 'You cannot drop the object, as there is already an object in front of you.');
  } else {
    offers.push(DROP);
  }
}

function addDoors(scene: Scene, offers: Offer[], refusals: Refusals | null): void {
  const { view, search } = scene;
  const listed: Sighting[] = [];
  for (const sighting of scene.sightings.objects) {
    const { object, number, cell } = sighting;
    if (object.type !== 'door') continue;
    listed.push(sighting);
    if (object.state === 'open') {
      const through = goThroughText(object.code, number);
      const end = search.toStand(view.x(cell), view.y(cell));
      if (end !== null) offers.push({ action: through, end, then: NONE, object });
      else refusals?.set(through, `You cannot ${through}, as there is no path leading to it.`);
      continue;
    }
    addShutDoor(scene, sighting, listed, offers, refusals);
  }
}

function addShutDoor(
  scene: Scene,
  { object, name, number, cell }: Sighting,
  listed: readonly Sighting[],
  offers: Offer[],
  refusals: Refusals | null,
): void {
  const action = toggleAndGoText(object.code, number);
  const { carrying, search } = scene;
  if (object.state === 'locked' && carrying?.type !== 'key') {
    refusals?.set(action, `You cannot ${action}, as you are not carrying a key.`);
    return;
  }
  if (object.state === 'locked' && carrying?.color !== object.color) {
    const reason = 'the color of the key you are carrying does not match the color of door';
    refusals?.set(action, `You cannot ${action}, as ${reason}.`);
    return;
  }
  const end = face(scene, cell);
  if (end !== null) {
    offers.push({ action, end, then: TOGGLE_AND_GO, object });
    if (search.isStart(end)) offers.push({ ...TOGGLE, object });
  } else {
    const counted = `${name} ${pythonCounts(listed)}`;
    refusals?.set(action, `You cannot toggle and go through ${counted}, as there is no path leading to it.`);
  }
  if (object.state === 'closed') {
    const through = goThroughText(object.code, number);
    refusals?.set(through, `You cannot ${through}, as it is closed. You should toggle it first.`);
  }
}

function face({ view, search }: Scene, cell: number): number | null {
  return search.toFace(view.x(cell), view.y(cell));
}

/** Upstream prints its whole counter of door names here, as Python writes a dict. */
function pythonCounts(listed: readonly Sighting[]): string {
  const counts = new Map<string, number>();
  for (const { name, number } of listed) counts.set(name, number);
  return `{${[...counts].map(([name, count]) => `'${name}': ${count}`).join(', ')}}`;
}
