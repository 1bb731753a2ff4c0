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

/** Something that stands on the grid, or is carried. Identity matters: missions name objects, not looks. */
export class WorldObject {
  /** Cell, or where it stood when it was taken along at the start; (-1, -1) once picked up. */
  x = -1;
  y = -1;
  /** Of a box: what appears where the box is toggled. */
  contents: WorldObject | null = null;

  private look = 0;

  constructor(
    readonly type: ObjectType,
    color: Color,
    /** Means something for doors only. */
    public state: DoorState = 'open',
  ) {
    this.recolor(color);
  }

  get color(): Color {
    return COLORS[this.look % COLORS.length] as Color;
  }

  recolor(color: Color): void {
    this.look = TYPES.indexOf(this.type) * COLORS.length + COLORS.indexOf(color);
  }

  /** A number below CODE_COUNT that names type, colour and door state: what can be seen of it. */
  get code(): number {
    return this.look * STATES.length + (this.state === 'open' ? 0 : this.state === 'closed' ? 1 : 2);
  }

  get blocksSight(): boolean {
    return this.type === 'wall' || (this.type === 'door' && this.state !== 'open');
  }

  get isCarriable(): boolean {
    return this.type === 'key' || this.type === 'ball' || this.type === 'box';
  }
}

/** One wall stands for all: walls have no identity. */
export const WALL = new WorldObject('wall', 'grey');

const NAMES = TYPES.flatMap((type) =>
  COLORS.flatMap((color) =>
    STATES.map((state) => (type === 'door' ? `${color} ${state} door` : `${color} ${type}`)),
  ),
);

/** The name AgentGym's text gives an object: `red ball`, `grey locked door`. */
export function objectName(object: WorldObject): string {
  return NAMES[object.code] ?? '';
}

/** Primitive actions of Minigrid; their numbers are Minigrid's. */
export const Primitive = { left: 0, right: 1, forward: 2, pickup: 3, drop: 4, toggle: 5 } as const;
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
