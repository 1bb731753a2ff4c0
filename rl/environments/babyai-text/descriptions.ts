import { CARRIABLE_TYPES, CODE_COUNT, COLORS, WorldObject, type DoorState } from '../babyai/objects';
import { FORWARD, RIGHT, VIEW_CELLS, type View } from '../babyai/view';

const DOOR_STATES: readonly DoorState[] = ['open', 'closed', 'locked'];

/** What BabyAI-Text calls an object, by its code: `red ball`, `locked grey door`; empty for walls, which have no name. */
const NAMES: readonly string[] = namesByCode();

function namesByCode(): string[] {
  const names = new Array<string>(CODE_COUNT).fill('');
  for (const color of COLORS) {
    for (const type of CARRIABLE_TYPES) names[new WorldObject(type, color).code] = `${color} ${type}`;
    for (const state of DOOR_STATES) {
      names[new WorldObject('door', color, state).code] = `${state} ${color} door`;
    }
  }
  return names;
}

function steps(count: number, way: string): string {
  return `${count} step${count === 1 ? '' : 's'} ${way}`;
}

/** Where a view cell lies: `2 steps left and 1 step forward`. */
function placeOf(cell: number): string {
  const forward = FORWARD[cell] ?? 0;
  const right = RIGHT[cell] ?? 0;
  if (right === 0) return steps(forward, 'forward');
  const sideways = steps(Math.abs(right), right < 0 ? 'left' : 'right');
  return forward === 0 ? sideways : `${sideways} and ${steps(forward, 'forward')}`;
}

interface WayOut {
  /** View cells, nearest first. */
  readonly cells: readonly number[];
  /** What is said of a wall there, by the same index. */
  readonly walls: readonly string[];
}

function wayOut(isOnWay: (cell: number) => boolean): WayOut {
  const distance = (cell: number): number => (FORWARD[cell] ?? 0) + Math.abs(RIGHT[cell] ?? 0);
  const cells = Array.from({ length: VIEW_CELLS }, (_, cell) => cell)
    .filter((cell) => distance(cell) > 0 && isOnWay(cell))
    .sort((left, right) => distance(left) - distance(right));
  return { cells, walls: cells.map((cell) => `You see a wall ${placeOf(cell)}`) };
}

/** The straight lines of sight from the agent, in the order their walls are told. */
const WAYS_OUT: readonly WayOut[] = [
  wayOut((cell) => RIGHT[cell] === 0),
  wayOut((cell) => FORWARD[cell] === 0 && (RIGHT[cell] ?? 0) < 0),
  wayOut((cell) => FORWARD[cell] === 0 && (RIGHT[cell] ?? 0) > 0),
];

/** The cells but the agent's own by column from the left, each column from its far end: the order objects are told. */
const BY_COLUMN: readonly number[] = Array.from({ length: VIEW_CELLS }, (_, cell) => cell)
  .filter((cell) => FORWARD[cell] !== 0 || RIGHT[cell] !== 0)
  .sort(
    (left, right) => (RIGHT[left] ?? 0) - (RIGHT[right] ?? 0) || (FORWARD[right] ?? 0) - (FORWARD[left] ?? 0),
  );

/** What is said of an object in view, by cell * CODE_COUNT + code. */
const SIGHTS: readonly string[] = Array.from(
  { length: VIEW_CELLS * CODE_COUNT },
  (_, index) => `You see a ${NAMES[index % CODE_COUNT]} ${placeOf(Math.floor(index / CODE_COUNT))}`,
);

/**
 * BabyAI-Text's description of what an agent sees and carries, one line an entry, letter by letter (gym_minigrid's
 * `gen_graph`): what is carried; the wall ahead, to the left and to the right, each unless something stands before it;
 * every object in view.
 */
export function describeView(view: View, carrying: WorldObject | null): string[] {
  const lines: string[] = [];
  if (carrying) lines.push(`You carry a ${NAMES[carrying.code] ?? ''}`);
  for (const { cells, walls } of WAYS_OUT) {
    for (let index = 0; index < cells.length; index++) {
      const object = view.objects[cells[index] ?? 0];
      if (!object) continue;
      if (object.type === 'wall') lines.push(walls[index] ?? '');
      break;
    }
  }
  for (const cell of BY_COLUMN) {
    const object = view.objects[cell];
    if (object && object.type !== 'wall') lines.push(SIGHTS[cell * CODE_COUNT + object.code] ?? '');
  }
  return lines;
}
