/** Minigrid's colours, sorted by name: the order layouts draw from. */
export const COLORS = ['blue', 'green', 'grey', 'purple', 'red', 'yellow'] as const;
export type Color = (typeof COLORS)[number];

/** What can be carried, in the order layouts draw from. */
export const CARRIABLE_TYPES = ['key', 'ball', 'box'] as const;
export type CarriableType = (typeof CARRIABLE_TYPES)[number];

const TYPES = ['wall', 'door', ...CARRIABLE_TYPES] as const;
export type ObjectType = (typeof TYPES)[number];

const STATES = ['open', 'closed', 'locked'] as const;
export type DoorState = (typeof STATES)[number];

/** Number of different object codes. */
export const CODE_COUNT = TYPES.length * COLORS.length * STATES.length;

/** What the codes 0 .. CODE_COUNT - 1 stand for: by type, then colour, then door state. */
const CODED = TYPES.flatMap((type) =>
  COLORS.flatMap((color) => STATES.map((state) => ({ type, color, state }))),
);
const CODED_COLOR = CODED.map(({ color }) => color);
const CODED_STATE = CODED.map(({ state }) => state);
const CODED_BLOCKS_SIGHT = CODED.map(
  ({ type, state }) => type === 'wall' || (type === 'door' && state !== 'open'),
);

function codeOf(type: ObjectType, color: Color, state: DoorState): number {
  return (
    (TYPES.indexOf(type) * COLORS.length + COLORS.indexOf(color)) * STATES.length + STATES.indexOf(state)
  );
}

/** Something that stands on the grid, or is carried. Identity matters: missions name objects, not looks. */
export class WorldObject {
  /** Cell, or where it stood when it was taken along at the start; (-1, -1) once picked up. */
  x = -1;
  y = -1;
  /** Of a box: what appears where the box is toggled. */
  contents: WorldObject | null = null;

  private looks: number;

  constructor(
    readonly type: ObjectType,
    color: Color,
    state: DoorState = 'open',
  ) {
    this.looks = codeOf(type, color, state);
  }

  /** A number below CODE_COUNT that names type, colour and door state: what can be seen of it. */
  get code(): number {
    return this.looks;
  }

  get color(): Color {
    return CODED_COLOR[this.looks] ?? 'grey';
  }

  recolor(color: Color): void {
    this.looks = codeOf(this.type, color, this.state);
  }

  /** Means something for doors only. */
  get state(): DoorState {
    return CODED_STATE[this.looks] ?? 'open';
  }

  set state(state: DoorState) {
    this.looks = codeOf(this.type, this.color, state);
  }

  get blocksSight(): boolean {
    return CODED_BLOCKS_SIGHT[this.looks] === true;
  }

  get isCarriable(): boolean {
    return this.type === 'key' || this.type === 'ball' || this.type === 'box';
  }
}

/** One wall stands for all: walls have no identity. */
export const WALL = new WorldObject('wall', 'grey');

/** The names AgentGym's text gives objects, by code: `red ball`, `grey locked door`. */
export const OBJECT_NAMES: readonly string[] = CODED.map(({ type, color, state }) =>
  type === 'door' ? `${color} ${state} door` : `${color} ${type}`,
);

export function objectName(object: WorldObject): string {
  return OBJECT_NAMES[object.code] ?? '';
}

/** Primitive actions of Minigrid; their numbers are Minigrid's. `done` changes nothing. */
export const Primitive = { left: 0, right: 1, forward: 2, pickup: 3, drop: 4, toggle: 5, done: 6 } as const;
export type Primitive = (typeof Primitive)[keyof typeof Primitive];

/** Unit vectors of the directions 0 right, 1 down, 2 left, 3 up; x grows right, y grows down. */
export const DIRECTION_X = [1, 0, -1, 0] as const;
export const DIRECTION_Y = [0, 1, 0, -1] as const;
export type Direction = 0 | 1 | 2 | 3;

export function turned(direction: Direction, quarters: 1 | 3): Direction {
  return ((direction + quarters) % 4) as Direction;
}

export function manhattan(x: number, y: number, otherX: number, otherY: number): number {
  return Math.abs(x - otherX) + Math.abs(y - otherY);
}
