import type { Grid } from './grid';
import { DIRECTION_X, DIRECTION_Y, type Color, type ObjectType, type WorldObject } from './objects';

/** Where an object lies, seen from the agent's first pose and within its room, in the order layouts draw from. */
export const LOCATIONS = ['left', 'right', 'front', 'behind'] as const;
export type Location = (typeof LOCATIONS)[number];

/**
 * What a mission calls an object: type, colour and location, each left out where null. As upstream, `grey object`
 * names walls too.
 */
export class Description {
  /** The objects it names; fixed at the start of an episode. */
  objects: WorldObject[] = [];
  /** Where they are: since the start, or since the last drop; what is in the hand then has no cell. */
  cells: { x: number; y: number }[] = [];

  constructor(
    readonly type: Exclude<ObjectType, 'wall'> | null,
    readonly color: Color | null = null,
    readonly location: Location | null = null,
  ) {}

  /** Finds anew which objects it names and where they are. */
  find(grid: Grid): void {
    this.objects = [];
    this.locate(grid, (object, x, y) => this.matches(grid, object, x, y));
    this.objects = this.cells.map(({ x, y }) => grid.at(x, y)).filter((object) => object !== null);
  }

  /** Finds anew where its objects are. */
  findCells(grid: Grid): void {
    this.locate(grid, (object) => this.objects.includes(object));
  }

  private locate(grid: Grid, isNamed: (object: WorldObject, x: number, y: number) => boolean): void {
    this.cells = [];
    for (let x = 0; x < grid.width; x++) {
      for (let y = 0; y < grid.height; y++) {
        const object = grid.at(x, y);
        if (object && isNamed(object, x, y)) this.cells.push({ x, y });
      }
    }
  }

  private matches(grid: Grid, object: WorldObject, x: number, y: number): boolean {
    if (this.type && object.type !== this.type) return false;
    if (this.color && object.color !== this.color) return false;
    return this.location === null || isAtLocation(grid, this.location, x, y);
  }

  /** `the red ball`, `a door on your left`; `a` where it names several. */
  text(grid: Grid): string {
    this.find(grid);
    const article = this.objects.length > 1 ? 'a' : 'the';
    const color = this.color ? ` ${this.color}` : '';
    return `${article}${color} ${this.type ?? 'object'}${this.location ? LOCATION_TEXT[this.location] : ''}`;
  }
}

const LOCATION_TEXT: Record<Location, string> = {
  left: ' on your left',
  right: ' on your right',
  front: ' in front of you',
  behind: ' behind you',
};

function isAtLocation(grid: Grid, location: Location, x: number, y: number): boolean {
  if (!grid.isInRoom(grid.roomCorner(grid.agentX, grid.agentY), x, y)) return false;
  const forwardX = DIRECTION_X[grid.direction];
  const forwardY = DIRECTION_Y[grid.direction];
  const forward = (x - grid.agentX) * forwardX + (y - grid.agentY) * forwardY;
  const right = (y - grid.agentY) * forwardX - (x - grid.agentX) * forwardY;
  switch (location) {
    case 'left':
      return right < 0;
    case 'right':
      return right > 0;
    case 'front':
      return forward > 0;
    case 'behind':
      return forward < 0;
  }
}

/** The object's own type and colour. */
export function describe(object: WorldObject): Description {
  return new Description(object.type === 'wall' ? null : object.type, object.color);
}

/** A mission's grammar. `strict`: touching another object of the kind fails the mission. */
export type Instruction =
  | { kind: 'goto'; target: Description }
  | { kind: 'open'; target: Description; strict: boolean }
  | { kind: 'pickup'; target: Description; strict: boolean }
  | { kind: 'putnext'; target: Description; beside: Description }
  /** `before`: first, then second. `after`: first after second. `and`: in any order. */
  | { kind: 'before' | 'after' | 'and'; first: Instruction; second: Instruction };

export const goTo = (target: Description): Instruction => ({ kind: 'goto', target });
export const openDoor = (target: Description, strict = false): Instruction => ({
  kind: 'open',
  target,
  strict,
});
export const pickUp = (target: Description, strict = false): Instruction => ({
  kind: 'pickup',
  target,
  strict,
});
export const putNext = (target: Description, beside: Description): Instruction => ({
  kind: 'putnext',
  target,
  beside,
});
export const sequence = (
  kind: 'before' | 'after' | 'and',
  first: Instruction,
  second: Instruction,
): Instruction => ({ kind, first, second });

/** Every description of a mission, in reading order. */
export function descriptions(instruction: Instruction): Description[] {
  switch (instruction.kind) {
    case 'goto':
    case 'open':
    case 'pickup':
      return [instruction.target];
    case 'putnext':
      return [instruction.target, instruction.beside];
    case 'before':
    case 'after':
    case 'and':
      return [...descriptions(instruction.first), ...descriptions(instruction.second)];
  }
}

/** The mission in words, for the grid as it is. */
export function missionText(instruction: Instruction, grid: Grid): string {
  switch (instruction.kind) {
    case 'goto':
      return `go to ${instruction.target.text(grid)}`;
    case 'open':
      return `open ${instruction.target.text(grid)}`;
    case 'pickup':
      return `pick up ${instruction.target.text(grid)}`;
    case 'putnext':
      return `put ${instruction.target.text(grid)} next to ${instruction.beside.text(grid)}`;
    case 'before':
      return `${missionText(instruction.first, grid)}, then ${missionText(instruction.second, grid)}`;
    case 'after':
      return `${missionText(instruction.first, grid)} after you ${missionText(instruction.second, grid)}`;
    case 'and':
      return `${missionText(instruction.first, grid)} and ${missionText(instruction.second, grid)}`;
  }
}

/** Walks a mission needs, upstream's measure of its length: `max_steps` grows with it. */
export function walkCount(instruction: Instruction): number {
  switch (instruction.kind) {
    case 'goto':
    case 'open':
    case 'pickup':
      return 1;
    case 'putnext':
      return 2;
    case 'before':
    case 'after':
    case 'and':
      return walkCount(instruction.first) + walkCount(instruction.second);
  }
}
